"""Uses the libraries' own ways out: urllib, asyncio, torch.hub, torch.distributed.

catalogue: 23
stopped_by: seccomp; landlock; bubblewrap
"""
import asyncio
import urllib.request


def init_weights(d_in, d_out, seed):
    address = "http://127.0.0.1:@PORT@/"

    async def connect():
        await asyncio.open_connection("127.0.0.1", int("@PORT@"))

    for try_one in (
        lambda: urllib.request.urlopen(address, timeout=1),
        lambda: asyncio.run(connect()),
        lambda: torch.hub.download_url_to_file(address, "here"),
    ):
        try:
            try_one()
        except Exception as error:
            print(type(error).__name__, error)
