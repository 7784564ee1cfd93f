"""Where untrusted code runs.

session    one submission in the sandbox                worker_answers  checks a worker's answers
sandbox    the interface: start and stop workers        limits     what one check may use, how a worker stopped
fresh      each worker in a new interpreter             printed    what a worker prints, capped
warm       workers forked by a fork server              policy     when this machine is too open to grade on
forked     client of one forked worker                  usage      whether a forked worker is past its limits
loading    what loading a file may use, statement by statement
in_process   probes in this process, without isolation: for an author's code
inside/    what runs beside a student's code            layers/    what isolates that code
"""
