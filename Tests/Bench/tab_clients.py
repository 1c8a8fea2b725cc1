"""Clients that follow a page of the console as its `live.js` does, without a browser."""

import asyncio
import contextlib
import re
import time

# As in live.js: the time in which events are collected for one request.
COLLECTING = 0.005
PART = re.compile(r'data-part="([\w-]+)" data-live="([^"]*)"')


class Tab:
    """One open page: its event stream, and a request for the parts that events affect."""

    def __init__(self, foyer, path, headers):
        self.foyer, self.path = foyer, path
        self.headers = "".join(f"{header}\r\n" for header in headers)
        # Milliseconds from an event's arrival to that of the parts it affects.
        self.delays = []
        self.waiting = {}

    async def connect(self):
        return await asyncio.open_connection("127.0.0.1", self.foyer.port)

    async def request(self, path, streams):
        reader, writer = streams
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.foyer.port}\r\n{self.headers}\r\n"
        writer.write(head.encode())
        response = (await reader.readuntil(b"\r\n\r\n")).decode()
        assert " 200 " in response.splitlines()[0], response
        length = re.search(r"content-length: (\d+)", response, re.IGNORECASE)
        return (await reader.readexactly(int(length[1]))).decode() if length else ""

    async def open(self):
        self.streams = await self.connect()
        page = await self.request(self.path, self.streams)
        self.parts = {name: kinds.split() for name, kinds in PART.findall(page)}
        assert self.parts, "the page has no live parts"
        self.event_streams = await self.connect()
        await self.request("/api/events", self.event_streams)
        self.tasks = [asyncio.create_task(self.listen()), asyncio.create_task(self.update())]

    async def close(self):
        """Raises the error that ended a task before."""
        for task in self.tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def listen(self):
        async for line in self.event_streams[0]:
            if not line.startswith(b"event: "):
                continue
            kind = line[7:].decode().strip()
            for name, kinds in self.parts.items():
                if kind in kinds:
                    self.waiting.setdefault(name, time.perf_counter())

    async def update(self):
        while True:
            if not self.waiting:
                await asyncio.sleep(0.001)
                continue
            await asyncio.sleep(COLLECTING)
            waiting, self.waiting = self.waiting, {}
            await self.request(f"{self.path}?part={','.join(waiting)}", self.streams)
            now = time.perf_counter()
            self.delays += [(now - since) * 1000 for since in waiting.values()]


def follow(foyer, path, headers, count, act):
    """Opens `count` pages, calls `act` in a thread, and returns the sorted delays of all parts."""

    async def run():
        tabs = [Tab(foyer, path, headers) for _ in range(count)]
        for tab in tabs:
            await tab.open()
        await asyncio.to_thread(act)
        await asyncio.sleep(0.2)
        for tab in tabs:
            await tab.close()
        return sorted(delay for tab in tabs for delay in tab.delays)

    return asyncio.run(run())
