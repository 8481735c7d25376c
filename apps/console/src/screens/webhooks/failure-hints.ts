/** Instructions for a failed attempt, by the kind of its error. */
const HINTS: Readonly<Record<string, string>> = {
  http_status: 'The receiver responded but did not accept the event. Look for the reason in its log.',
  redirect:
    'Redirects are not followed. Change the URL of the endpoint to the address to which the receiver redirects.',
  timeout:
    'The receiver took too long. It should store the event, respond immediately and process the event afterwards.',
  connect_timeout: 'Nothing responded at this address. Check the firewall, and check that the receiver is running.',
  connection_refused: 'Nothing is listening at this address and port. Check that the receiver is running.',
  connection_lost:
    'The connection was closed before a response arrived. The receiver, or a proxy in front of it, may have crashed.',
  dns_error: 'The host name cannot be resolved. Check the URL of the endpoint.',
  tls_error:
    'Check the certificate of the receiver and its chain, and check whether the receiver expects HTTPS at this port.',
  target_blocked: 'This deployment does not deliver to this address. Ask its operators to allow it.',
  protocol_error:
    'The response is too large or not valid HTTP. Check the port, and check whether the receiver expects HTTPS.',
};

/** Returns instructions for a kind of error; undefined if there are none. */
export function explainFailure(errorClass: string | null): string | undefined {
  return errorClass !== null && Object.hasOwn(HINTS, errorClass) ? HINTS[errorClass] : undefined;
}
