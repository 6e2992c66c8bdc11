"""Runs the jobs of the GPU suite, several at a time, and keeps the result on disk after each one."""
import os
import queue
import shutil
import signal
import subprocess
import threading
import time

import jobs as suite_jobs
import record
import results

GRACE = 5.0  # seconds in which a program that is asked to end may still write its report
SHOWN = 20  # cases of the result whose seconds are kept


def end_group(process):
    """Asks a program and what it started to end; then ends them."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(timeout=GRACE)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def kernel_counts(log):
    """How many kernels were found in the cache, and how many had to be compiled."""
    counts = {"found": 0, "compiled": 0}
    for line in results.read_text(log).splitlines():
        words = line.split()
        if len(words) > 1:
            counts["found" if words[1] == "0" else "compiled"] += 1
    return counts


class Suite:
    """`head`: what the result says of the machine. `devices`: GPUs by number, where there is a choice."""

    def __init__(self, folder, todo, workers, limit, environment, head, devices=(), out=print):
        self.folder = folder
        self.todo = todo
        self.workers = workers
        self.limit = limit
        self.environment = environment
        self.head = head
        self.devices = list(devices)
        self.out = out
        self.start = time.monotonic()
        self.waiting = queue.SimpleQueue()
        self.running = set()
        self.groups = {}
        self.seconds = {}
        self.failures = []
        self.lock = threading.Lock()
        self.stopped = threading.Event()

    def environment_of(self, job):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"), OMP_WAIT_POLICY="passive",
                           ORRERY_KERNEL_LOG=str(self.folder / "kernels.log"))
        # The other cores have tests of their own.
        environment.setdefault("OMP_NUM_THREADS", "2")
        environment |= self.environment
        if self.devices:
            first = self.todo.index(job) % len(self.devices) if job in self.todo else 0
            environment["CUDA_VISIBLE_DEVICES"] = ",".join(self.devices[first:] + self.devices[:first])
        return environment

    def remaining(self):
        return self.limit - (time.monotonic() - self.start)

    def status_of(self, job):
        """Exit status of the job, or TIMED_OUT."""
        if self.remaining() <= 0 or self.stopped.is_set():
            return results.TIMED_OUT
        with open(job.log, "wb") as log:
            try:
                process = subprocess.Popen(job.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           env=self.environment_of(job), start_new_session=True)
            except OSError as error:
                log.write(f"{error}\n".encode())
                return 127
        with self.lock:
            self.running.add(process)
        try:
            return process.wait(timeout=max(0.0, min(job.limit, self.remaining())))
        except subprocess.TimeoutExpired:
            end_group(process)
            return results.TIMED_OUT
        finally:
            with self.lock:
                self.running.discard(process)

    def run_job(self, job):
        job.log = self.folder / "logs" / f"{job.name}.log"
        job.report = self.folder / "reports" / f"{job.name}.report"
        if job.read is results.of_tests:
            job.command.append(f"--gtest_output=xml:{job.report}")
        elif job.read is results.of_verify:
            job.command += ["--json", str(job.report), "--overwrite"]
        start = time.monotonic()
        result = job.read(job, self.status_of(job))
        self.add(job, result, time.monotonic() - start)
        if rest := suite_jobs.rest_of(job, result):
            self.waiting.put(rest)

    def add(self, job, result, seconds):
        with self.lock:
            group = self.groups.setdefault(job.group, {"processes": 0, "seconds": 0.0, "longest": 0.0} |
                                           dict.fromkeys(results.KINDS, 0))
            group["processes"] += 1
            group["seconds"] = round(group["seconds"] + seconds, 1)
            group["longest"] = round(max(group["longest"], seconds), 1)
            for kind, count in result.counts.items():
                group[kind] += count
            self.seconds |= result.seconds
            self.failures += [{"job": job.name, "name": name, "why": why} for name, why in result.failures]
            self.write(complete=False)
        for name, why in result.failures:
            self.out(f"failed: {name}: {why}")

    def write(self, complete):
        counts = {kind: sum(group[kind] for group in self.groups.values()) for kind in results.KINDS}
        longest = dict(sorted(self.groups.items(), key=lambda item: -item[1]["seconds"]))
        slowest = sorted(self.seconds.items(), key=lambda item: -item[1])[:SHOWN]
        report = self.head | {"complete": complete, "seconds": round(time.monotonic() - self.start, 1)} | counts | {
            "failures": sorted(self.failures, key=lambda each: each["name"]),
            "kernels": kernel_counts(self.folder / "kernels.log"), "jobs": longest,
            "slowest": dict(slowest)}
        record.write_json(self.folder / "gpu-suite.json", report)
        return report

    def work(self):
        while True:
            try:
                job = self.waiting.get_nowait()
            except queue.Empty:
                return
            self.run_job(job)

    def run(self):
        for name in ("logs", "reports"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir(parents=True)
        (self.folder / "kernels.log").unlink(missing_ok=True)
        for job in self.todo:
            if not job.alone:
                self.waiting.put(job)
        workers = [threading.Thread(target=self.work) for _ in range(self.workers)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for job in self.todo:
            if job.alone:
                self.run_job(job)
        self.work()
        return self.write(complete=not self.stopped.is_set())

    def stop(self, *_):
        self.stopped.set()
        for process in list(self.running):
            threading.Thread(target=end_group, args=(process,), daemon=True).start()
