// Who works on a crawl that several processes share: workers, and the partitions they hold.

import { count, foreign, make, plural, table } from "./dom.js";

/** What the section shows; null for a crawl of one process. */
export function workersSection(found) {
  if (!found.partitions.length) return null;
  return [
    make("h2", {}, "Workers and partitions"),
    make("p", { class: "faint" }, summary(found)),
    workersTable(found),
    partitionsTable(found),
  ];
}

function summary(found) {
  const alive = found.workers.filter((worker) => worker.alive).length;
  const orphans = found.partitions.filter((one) => one.orphaned).length;
  const rows = found.partitions.reduce((sum, one) => sum + one.exchange_rows, 0);
  const parts = [
    plural(alive, "worker"),
    plural(found.partitions.length, "partition"),
    orphans ? make("span", { class: "badge bad" }, `${count(orphans)} without a worker`) : null,
    rows ? `${plural(rows, "row")} of links on the way between partitions` : null,
    found.ended ? "the crawl has ended" : null,
  ].filter(Boolean);
  return parts.flatMap((part, number) => (number ? [" · ", part] : [part]));
}

function workersTable(found) {
  const columns = [
    { title: "worker", cell: (worker) => foreign(worker.worker, 80) },
    { title: "state", cell: workerState },
    { title: "partitions", class: "number-cell", cell: (worker) => count(worker.partitions) },
    { title: "version", cell: (worker) => foreign(worker.version, 40) },
  ];
  return table(columns, found.workers, found.ended ? "all have gone" : "no worker is there: start geoscout cluster work");
}

function workerState(worker) {
  if (worker.alive) return `here for ${duration(worker.seconds)}`;
  return make("span", { class: "badge bad" }, `not heard of for ${duration(worker.seconds)}`);
}

function partitionsTable(found) {
  const rows = [...found.partitions].sort((a, b) => Number(b.orphaned) - Number(a.orphaned) || a.partition - b.partition);
  const columns = [
    { title: "partition", cell: (one) => count(one.partition) },
    { title: "state", cell: (one) => (one.orphaned ? make("span", { class: "badge bad" }, one.state) : one.state) },
    { title: "worker", cell: (one) => foreign(one.worker || "–", 80) },
    { title: "lease", class: "number-cell", cell: (one) => (one.worker ? `${one.lease_seconds.toFixed(0)} s` : "–") },
    { title: "waiting", class: "number-cell", cell: (one) => count(one.waiting) },
    { title: "done", class: "number-cell", cell: (one) => count(one.done) },
    { title: "failed", class: "number-cell", cell: (one) => count(one.failed) },
    { title: "hosts", class: "number-cell", cell: (one) => count(one.hosts) },
    { title: "sent to it", class: "number-cell", cell: (one) => count(one.exchange_rows) },
  ];
  return table(columns, rows);
}

function duration(seconds) {
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(0)} h`;
}
