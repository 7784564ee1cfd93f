"""Where untrusted code runs.

session    one submission in the sandbox                worker_answers  checks a worker's answers
sandbox    the interface: start and stop workers        client     of one worker: a stream of requests and answers
fresh      each worker in a new interpreter             interpreter  the pipes of such a worker
warm       workers forked by a fork server              forked     the pipes of one forked worker
printed    what a worker prints, capped                 policy     when this machine is too open to grade on
limits     what one check may use, how a worker stopped
usage      what a worker uses of its limits             skips      which statements a new worker leaves out
own_lines  the lines of a submission that are quoted
in_process   probes in this process, without isolation: for an author's code
inside/    what runs beside a student's code            layers/    what isolates that code
"""
