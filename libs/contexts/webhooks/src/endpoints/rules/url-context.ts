/** Sealing context of an endpoint's address; its secrets and mails use only the id. */
export function describeUrlContext(endpointId: string): string {
  return `url of ${endpointId}`;
}
