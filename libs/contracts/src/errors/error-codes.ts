/**
 * Every error code that an HTTP client can receive, with its status and default message. docs/contract/errors.md
 * describes when each one is used; a test compares it with this table.
 */
export const ERROR_CODES = {
  malformed_json: { status: 400, message: 'The request body is not valid JSON.' },
  bad_request: { status: 400, message: 'The request is not valid HTTP.' },
  invalid_workspace_files: { status: 400, message: 'The workspace_files declaration is invalid.' },
  wrong_provider: { status: 400, message: 'The model belongs to a provider with another API.' },
  unauthenticated: { status: 401, message: 'Send a valid access token or API key as "Authorization: Bearer <token>".' },
  invalid_credentials: { status: 401, message: 'The username or password is wrong.' },
  invalid_signature: {
    status: 401,
    message: 'The signature is missing, too old, or does not match any signing secret.',
  },
  permission_denied: { status: 403, message: 'Your role does not include the permission that this request needs.' },
  cross_origin_request: { status: 403, message: 'This route accepts only requests from pages of this service.' },
  registration_closed: {
    status: 403,
    message: 'Registration is disabled in this deployment. Ask a user administrator for an invitation.',
  },
  account_scope_not_granted: {
    status: 403,
    message:
      'This agent may search only its own sessions. Use the scope "own", or have an administrator grant "session_search.account_scope".',
  },
  no_agent_identity: {
    status: 403,
    message:
      'The credential belongs neither to an agent nor to an API key, so there are no sessions to search with the scope "own".',
  },
  agent_suspended: { status: 403, message: 'The agent of this key is suspended.' },
  api_key_scope_denied: { status: 403, message: 'This API key may only send discovery reports.' },
  discovery_disabled: { status: 403, message: 'Discovery is disabled. A user who can manage agents can enable it.' },
  kill_switch_engaged: {
    status: 403,
    message: 'The agents of this account are stopped. A user who can manage the kill switch can release it.',
  },
  not_an_approver: { status: 403, message: 'You are not among the approvers of this request.' },
  model_not_allowed: { status: 403, message: 'The limits of this API key do not include the model.' },
  budget_exceeded: { status: 403, message: 'The call may cost more than remains in a budget.' },
  unpriced_model: {
    status: 403,
    message: 'The model has no price and a budget applies to it. Set its prices.',
  },
  unsized_call: {
    status: 403,
    message: 'The cost of the call cannot be read from its body, and a budget refuses such calls.',
  },
  self_approval: { status: 403, message: 'The call is your own. Another approver has to decide on it.' },
  not_found: { status: 404, message: 'There is no such resource.' },
  model_not_found: { status: 404, message: 'The account has no model with this name.' },
  method_not_allowed: { status: 405, message: 'This path does not support that method.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  conflict: { status: 409, message: 'The request conflicts with the current state of the resource.' },
  endpoint_limit_reached: { status: 409, message: 'The account has reached the maximum number of webhook endpoints.' },
  model_in_use: { status: 409, message: 'The model is in use. Remove the references to it first.' },
  already_voted: { status: 409, message: 'You have already decided on this request.' },
  already_resolved: { status: 409, message: 'The request is already decided. "detail" contains the outcome.' },
  no_webhook: { status: 409, message: 'The workflow has no receiver and therefore no secret.' },
  quota_reached: { status: 409, message: 'The account has reached its quota for this kind of resource.' },
  flow_disabled: { status: 409, message: 'The flow is disabled. Enable it before triggering it.' },
  execution_active: { status: 409, message: 'An execution of this flow is still active.' },
  legal_hold: { status: 409, message: 'The session is under legal hold. Remove the hold before deleting it.' },
  idempotency_key_reused: { status: 409, message: 'This idempotency key was already used with another body.' },
  place_gone: {
    status: 410,
    message:
      'Events after this position are no longer stored. Start without Last-Event-ID, that is, with the oldest stored event.',
  },
  precondition_failed: {
    status: 412,
    message: 'The version in If-Match is no longer the current version. Read that version and send your change again.',
  },
  payload_too_large: { status: 413, message: 'The request body exceeds the limit of this route.' },
  workspace_files_too_large: { status: 413, message: 'The workspace_files declaration exceeds the limit.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  invalid_request: { status: 422, message: 'The request is not valid.' },
  invalid_policy: { status: 422, message: 'The policy is not valid. "errors" lists the problems.' },
  unknown_agent: { status: 422, message: 'The account has no such agent.' },
  weak_password: { status: 422, message: 'This password is too common. Choose another.' },
  unknown_event_type: { status: 422, message: 'The event type does not exist.' },
  invalid_url: { status: 422, message: 'The URL is not acceptable.' },
  target_blocked: { status: 422, message: 'The URL points to an address that this deployment does not deliver to.' },
  query_has_no_terms: {
    status: 422,
    message:
      'The query contains no word to search for, only exclusions or punctuation. Add at least one word, or put command flags in quotes.',
  },
  model_required: { status: 422, message: 'Embedding needs a model. Send "model_identifier".' },
  base_url_required: { status: 422, message: 'Embedding needs the endpoint of a provider. Send "base_url".' },
  invalid_base_url: { status: 422, message: 'The endpoint of the provider is not acceptable.' },
  unknown_provider: { status: 422, message: 'The provider does not exist. Send "generic_compatible".' },
  invalid_scope: { status: 422, message: 'The scope does not exist. Send "summaries_only" or "full".' },
  invalid_daily_cap: {
    status: 422,
    message: 'The daily cap must be an amount in US dollars from 0 to 100000 with at most six decimals, or null.',
  },
  provider_requires_enable: {
    status: 422,
    message: 'Provider details can be saved only while embedding is enabled. Send "enabled": true with them.',
  },
  key_limit_reached: {
    status: 429,
    message: 'A limit of this API key is reached. Try again after the time in Retry-After.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Try again after the time in Retry-After.' },
  outbox_full: {
    status: 429,
    message: 'The account has too many undelivered events. Try again after some of them have been delivered.',
  },
  headers_too_large: { status: 431, message: 'The request headers exceed the limit.' },
  internal: {
    status: 500,
    message: 'The request failed because of an internal error. Report the request id to the operator.',
  },
  provider_unreachable: { status: 502, message: 'The provider of the model could not be reached.' },
  search_timeout: {
    status: 503,
    message: 'The search exceeded its time limit. Narrow it with a filter or a rarer word.',
  },
  unavailable: {
    status: 503,
    message: 'The service is unavailable. Try again after the time in Retry-After.',
  },
  provider_timeout: { status: 504, message: 'The provider of the model did not respond in time.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
