// Signs in to a development service as the owner of the demo store, and creates a personal
// access token.

import { demoOwner } from '../devserver/demo.ts'
import type { DevService } from './dev-service.ts'

export async function signInAsOwner({
  origin,
}: Pick<DevService, 'origin'>): Promise<{ cookie: string; token: string }> {
  const platform = `${origin}/platform/v1`
  // The dashboard of a development service has a hostname, not an address.
  const headers = { Origin: origin.replace('127.0.0.1', 'localhost'), 'Content-Type': 'application/json' }
  const post = (path: string, body: object, more: Record<string, string> = {}) =>
    fetch(`${platform}${path}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })

  const { email, password } = demoOwner
  const signedIn = await post('/session', { email, password })
  const [cookie = ''] = signedIn.headers.getSetCookie().map((set) => set.split(';', 1)[0] ?? '')
  const made = await post('/account/tokens', { label: 'reference' }, { Cookie: cookie })
  if (made.status !== 201) throw new Error(`no token was created: ${made.status} ${await made.text()}`)
  return { cookie, token: ((await made.json()) as { token: string }).token }
}
