import { totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;

/**
 * Returns the size of the shared buffers: an eighth of the machine's memory, between 256 MiB and 1 GiB; the server does
 * not use this memory from the start, but only as the buffers are filled.
 */
function chooseSharedBuffers(): string {
  return `${Math.floor(Math.min(1024, Math.max(256, totalmem() / MEBIBYTE / 8)))}MB`;
}

/** Settings of every server; their defaults are unsuitable for a machine that also runs the apps or the tests. */
const COMMON: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: chooseSharedBuffers(),
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  effective_cache_size: `${Math.floor(totalmem() / MEBIBYTE / 2)}MB`,
  random_page_cost: '1.1',
  // JIT compilation is off: the queries of the apps are short, and compiling them costs more than running them.
  jit: 'off',
  log_min_messages: 'warning',
  logging_collector: 'off',
};

/** Settings of a test cluster, which never has to survive a crash of the machine. */
const THROWAWAY: Readonly<Record<string, string>> = {
  // Several test workers each run a gateway of their own at the same time, and start further gateways.
  max_connections: '400',
  shared_buffers: '256MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** Settings of a primary and its standby: commits wait until their WAL records are written, as in production. */
const REPLICATED: Readonly<Record<string, string>> = {
  synchronous_commit: 'on',
  wal_level: 'replica',
  max_wal_senders: '4',
  // With this setting, a standby reconnects soon after a restart of the primary; by default, it waits up to 5 s.
  wal_retrieve_retry_interval: '200ms',
  // Amount of WAL that is kept for a standby that is disconnected for some time.
  wal_keep_size: '256MB',
};

/** Returns the command-line arguments of the server. */
export function listServerSettings(durable: boolean, isReplicated = false): string[] {
  const settings = { ...COMMON, ...(durable ? {} : THROWAWAY), ...(isReplicated ? REPLICATED : {}) };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
