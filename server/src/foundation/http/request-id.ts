// The header with the id of a request, one for all processes that the request passes through. Caddy
// sets it after deleting it from visitors' requests; an edge passes it on to the control plane.

export const REQUEST_ID_HEADER = 'petstore-request-id'

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A UUID. Of a header that was sent twice Node joins the values, which gives none. */
export const isRequestId = (value: unknown): value is string => typeof value === 'string' && idForm.test(value)
