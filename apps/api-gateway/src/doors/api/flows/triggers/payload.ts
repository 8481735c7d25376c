/** A JSON object: what a run is told. */
export type Payload = Readonly<Record<string, unknown>>;

export function isPayload(value: unknown): value is Payload {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
