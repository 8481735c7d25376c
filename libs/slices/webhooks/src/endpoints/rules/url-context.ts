/** What the address of an endpoint is bound to when it is sealed; its secrets and mails are bound to the id alone. */
export function describeUrlContext(endpointId: string): string {
  return `url of ${endpointId}`;
}
