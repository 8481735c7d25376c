/** Result of a chaos run: the events that the API acknowledged, compared with those received. */
export interface Ledger {
  /** Called when the API has reported that this session has ended: its event must arrive. */
  recordEmitted(sessionId: string): void;
  /** Called when a verified request has arrived; `sessionId` identifies the session, `eventId` the event. */
  recordReceived(sessionId: string, eventId: string): void;
  countEmitted(): number;
  readMissing(): readonly string[];
  summarize(): LedgerSummary;
}

export interface LedgerSummary {
  readonly emitted: number;
  readonly delivered: number;
  /** Number of requests beyond the first one of an event; they are allowed, but reported. */
  readonly duplicates: number;
  readonly lost: number;
  /** Number of state changes that arrived with more than one event id: a receiver could not de-duplicate them. */
  readonly splitIds: number;
  /**
   * Number of events of sessions for whose end no response was received: the call failed after its commit, and the
   * producer gave up.
   */
  readonly unannounced: number;
}

export function createLedger(): Ledger {
  const emitted = new Set<string>();
  const received = new Map<string, { requests: number; readonly eventIds: Set<string> }>();
  const readMissing = (): string[] => [...emitted].filter((sessionId) => !received.has(sessionId));
  return {
    recordEmitted: (sessionId) => void emitted.add(sessionId),
    recordReceived(sessionId, eventId) {
      const entry = received.get(sessionId) ?? { requests: 0, eventIds: new Set() };
      entry.requests += 1;
      entry.eventIds.add(eventId);
      received.set(sessionId, entry);
    },
    countEmitted: () => emitted.size,
    readMissing,
    summarize() {
      const entries = [...received.values()];
      const lost = readMissing().length;
      return {
        emitted: emitted.size,
        delivered: emitted.size - lost,
        duplicates: entries.reduce((total, entry) => total + entry.requests - 1, 0),
        lost,
        splitIds: entries.filter((entry) => entry.eventIds.size > 1).length,
        unannounced: [...received.keys()].filter((sessionId) => !emitted.has(sessionId)).length,
      };
    },
  };
}
