/**
 * Returns the encryption context of an endpoint's address; the context of its secrets and mails contains only the id.
 */
export function describeUrlContext(endpointId: string): string {
  return `url of ${endpointId}`;
}
