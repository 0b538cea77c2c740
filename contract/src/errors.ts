// The refusals: every code with which a request can be refused. A code is part of the contract:
// add freely, never rename. No other file sets the status of a refusal.
//
// The message next to a code is the default; a refusal with more exact information has its own.

import { Type, type Static } from 'typebox'

export const refusals = {
  missing_body: { status: 400, message: 'A JSON body is required.' },
  invalid_json: { status: 400, message: 'Body is not valid JSON.' },
  missing_field: { status: 400, message: 'Body is missing a required field.' },
  invalid_field: { status: 400, message: 'The body contains an invalid value.' },
  unknown_field: { status: 400, message: 'The body contains an unknown field.' },
  invalid_parameter: { status: 400, message: 'A parameter is not valid.' },
  unknown_parameter: { status: 400, message: 'Unknown query parameter.' },
  invalid_cursor: { status: 400, message: "Query parameter 'cursor' was not issued for this list." },
  invalid_idempotency_key: {
    status: 400,
    message: "Idempotency-Key must be 1 to 255 visible ASCII characters without '\"' and '\\'.",
  },
  invalid_image: { status: 400, message: 'The file is not a supported image.' },
  name_invalid_chars: { status: 400, message: 'This name has a character that certificates cannot contain.' },
  name_too_long: { status: 400, message: 'This name is too long for a certificate. Use a shorter subdomain.' },
  name_too_many_labels: { status: 400, message: 'This name has too many parts for a certificate.' },
  name_not_public: {
    status: 400,
    message: 'This is not a public internet domain, so no certificate authority will certify it.',
  },
  name_is_public_suffix: { status: 400, message: 'This name is shared by many owners. Add the name you registered.' },
  name_platform_owned: {
    status: 400,
    message: 'That address belongs to the platform; every project already has its own.',
  },
  name_wildcard_unsupported: {
    status: 400,
    message: 'Wildcard names are not available. Add each subdomain you need.',
  },
  redirect_status_invalid: { status: 400, message: "A redirect's status is 301, 302, 307 or 308." },
  redirect_target_foreign: { status: 400, message: 'Redirects can only lead to a domain of this project.' },
  malformed_request: { status: 400, message: 'The request is not valid HTTP.' },
  missing_api_key: { status: 401, message: "Send 'Authorization: Bearer <API_KEY>'." },
  invalid_api_key: { status: 401, message: 'The API key is not valid.' },
  expired_api_key: { status: 401, message: 'The API key has expired.' },
  revoked_api_key: { status: 401, message: 'The API key was revoked.' },
  not_signed_in: { status: 401, message: 'Sign in first.' },
  wrong_credentials: { status: 401, message: 'The email address or the password is wrong.' },
  password_not_accepted: {
    status: 403,
    message: 'Sign in with a device that signed in before, a passkey or a mailed sign-in link.',
  },
  foreign_origin: { status: 403, message: 'This request came from a page on another origin.' },
  insufficient_role: { status: 403, message: 'Your role in this project does not allow this.' },
  session_required: { status: 403, message: 'This requires a signed-in session; an access token is not accepted.' },
  reauthentication_required: {
    status: 403,
    message: 'Confirm that it is you: enter your password or use a passkey, then retry.',
  },
  plan_required: { status: 403, message: 'The plan of this project does not include this.' },
  domain_limit_reached: { status: 403, message: 'Your plan includes no more domains. Remove one or upgrade.' },
  project_suspended: { status: 403, message: 'The operator of this installation has suspended this project.' },
  insufficient_scope: { status: 403, message: 'This key does not have the scope that the operation requires.' },
  not_found: { status: 404, message: 'The requested resource could not be found.' },
  method_not_allowed: { status: 405, message: 'This method is not allowed here.' },
  not_acceptable: { status: 406, message: 'Responses are application/json, which the Accept header excludes.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  other_address: {
    status: 403,
    message: 'This invitation is for another email address. Sign in with the account that has it, and verify it.',
  },
  email_taken: { status: 409, message: 'An account with this email address already exists. Sign in instead.' },
  slug_taken: { status: 409, message: 'This slug is taken. Slugs are never reused.' },
  limit_reached: { status: 409, message: 'The limit has been reached.' },
  sole_owner: { status: 409, message: 'The account is the only owner of a project.' },
  address_in_name: {
    status: 409,
    message: 'A name in this mail looks like an internet or email address. Change the name, then retry.',
  },
  last_owner: { status: 409, message: 'A project must keep at least one owner.' },
  key_choice_required: {
    status: 409,
    message: "The member created active API keys. Choose with 'keys' whether to keep or to revoke them.",
  },
  not_available: { status: 409, message: 'This animal is no longer available.' },
  queue_full: { status: 409, message: 'There are as many open requests for this animal as possible.' },
  stale_version: { status: 409, message: 'It was changed in the meantime. Fetch it again, then retry.' },
  wrong_state: { status: 409, message: 'This is not possible in its current state.' },
  deploy_required: { status: 409, message: 'Publish the project once before adding a domain.' },
  domain_already_added: { status: 409, message: 'This name is already in this project.' },
  redirect_target_not_live: { status: 409, message: 'A redirect leads to a domain that is not live yet.' },
  redirect_cycle: { status: 409, message: 'These redirects form a loop.' },
  in_use: { status: 409, message: 'It is still in use.' },
  passkeys_unavailable: {
    status: 409,
    message: 'Passkeys require the dashboard to be opened at a hostname, not at an IP address.',
  },
  mail_unavailable: {
    status: 409,
    message: 'This installation sends no mail. Ask the people who run it for help.',
  },
  idempotency_key_in_use: { status: 409, message: 'A request with this Idempotency-Key is still in progress.' },
  operation_removed: { status: 410, message: 'This operation was removed.' },
  body_too_large: { status: 413, message: 'Body exceeds 16384 bytes.' },
  uri_too_long: { status: 414, message: 'The request target exceeds 8192 bytes.' },
  unsupported_media_type: { status: 415, message: 'Send application/json.' },
  expectation_failed: { status: 417, message: "The only supported expectation is '100-continue'." },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was used with a different body.' },
  rate_limited: { status: 429, message: 'Too many requests.' },
  headers_too_large: { status: 431, message: 'The header section exceeds 16384 bytes.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
  method_not_implemented: { status: 501, message: 'This method is not supported.' },
  service_unavailable: { status: 503, message: 'The service is not available at the moment. Try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>

export type RefusalCode = keyof typeof refusals

export const MESSAGE_LENGTH_MAX = 1024

export const ErrorBody = Type.Object(
  {
    code: Type.String({ maxLength: 64, pattern: '^[a-z][a-z0-9_]*$', description: 'Machine-readable error code.' }),
    message: Type.String({ maxLength: MESSAGE_LENGTH_MAX, description: 'Human-readable description.' }),
    status: Type.Integer({ format: 'int32', minimum: 400, maximum: 599, description: 'The HTTP status code.' }),
  },
  {
    $id: 'Error',
    additionalProperties: false,
    description: 'The body of every error response. These three fields and no others.',
  },
)
export type ErrorBody = Static<typeof ErrorBody>
