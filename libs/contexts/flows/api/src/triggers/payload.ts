/** The payload of a trigger, which must be a JSON object: it is the input of a run. */
export type Payload = Readonly<Record<string, unknown>>;

export function isPayload(value: unknown): value is Payload {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
