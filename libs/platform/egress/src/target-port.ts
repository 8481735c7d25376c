const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Port that a URL connects to, including the default port. */
export function readPort(url: { readonly protocol: string; readonly port?: string | null | undefined }): number {
  return url.port === undefined || url.port === null || url.port === ''
    ? (DEFAULT_PORTS[url.protocol] ?? 0)
    : Number(url.port);
}

/** Returns true if this deployment delivers to the port; an empty list allows all ports (`WEBHOOK_ALLOWED_PORTS`). */
export function isAllowedPort(port: number, allowedPorts: readonly number[]): boolean {
  return allowedPorts.length === 0 || allowedPorts.includes(port);
}
