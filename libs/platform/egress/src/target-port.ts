const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Returns the port of a URL, or the default port of its protocol. */
export function readPort(url: { readonly protocol: string; readonly port?: string | null | undefined }): number {
  return url.port === undefined || url.port === null || url.port === ''
    ? (DEFAULT_PORTS[url.protocol] ?? 0)
    : Number(url.port);
}

/**
 * Returns true if this deployment allows connections to the port; an empty list allows all ports
 * (`WEBHOOK_ALLOWED_PORTS`).
 */
export function isAllowedPort(port: number, allowedPorts: readonly number[]): boolean {
  return allowedPorts.length === 0 || allowedPorts.includes(port);
}
