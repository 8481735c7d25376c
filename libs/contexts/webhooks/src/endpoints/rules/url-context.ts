/**
 * Returns the encryption context of an endpoint's address; the context of the endpoint's secrets and emails is the id
 * alone.
 */
export function describeUrlContext(endpointId: string): string {
  return `url of ${endpointId}`;
}
