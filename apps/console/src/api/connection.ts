import { createStore } from './store.ts';

/** Whether the service responds; a request without a response marks the connection as lost. */
const connection = createStore({ isLost: false });

/** Interval between checks whether the service responds again. */
const LOOK_MS = 2000;

export const useConnection = connection.use;

export const watchConnection = connection.subscribe;

export const isConnectionLost = (): boolean => connection.read().isLost;

/** Marks the connection as lost, and polls until the service responds again. */
export function noteLostConnection(): void {
  if (connection.read().isLost) return;
  connection.set({ isLost: true });
  const look = async (): Promise<void> => {
    if (await isAnswering()) connection.set({ isLost: false });
    else setTimeout(() => void look(), LOOK_MS);
  };
  setTimeout(() => void look(), LOOK_MS);
}

async function isAnswering(): Promise<boolean> {
  try {
    return (await fetch('/api/v1/livez', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
