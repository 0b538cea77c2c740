// Actions of an owner while an authority fails: adds a domain, reads what is shown, chooses
// Re-verify. Only the API is used, as a browser would use it.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import type { Environment } from '../../harness/full-environment.ts'

export type FaultsOwner = {
  add(hostname: string): Promise<Domain>
  show(hostname: string): Promise<Domain>
  reverify(hostname: string): Promise<Domain>
}

const TRIES = 5

export function ownerOf({ service: { origin, headers } }: Pick<Environment, 'service'>, slug: string): FaultsOwner {
  const send = async (method: string, path: string, body?: object, tries = TRIES): Promise<Domain> => {
    const answer = await fetch(`${origin}/platform/v1/projects/${slug}/domains${path}`, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    // A busy machine; the request may have been carried out all the same.
    if (answer.status === 503 && tries > 1) return send(method, path, body, tries - 1)
    if (answer.status === 409 && tries < TRIES) return send('GET', `/${(body as { hostname: string }).hostname}`)
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Domain
  }
  return {
    add: (hostname) => send('POST', '', { hostname }),
    show: (hostname) => send('GET', `/${hostname}`),
    reverify: (hostname) => send('POST', `/${hostname}/verify`),
  }
}
