/** Encryption context of an endpoint's address; that of its secrets and mails contains only the id. */
export function describeUrlContext(endpointId: string): string {
  return `url of ${endpointId}`;
}
