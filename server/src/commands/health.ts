// `petstore health`: whether the service on this machine is ready, or on an edge host the edge; for the health check of a
// container, in which there is no other program that could ask.

import { adminPortOf, type adminPorts, type Config } from '../program/config.ts'

export type Health = { isReady: boolean; text: string }

const PATIENCE_MS = 5_000

/** Without a role, the service is asked where its clients are answered. */
export async function healthOf(
  { host, port, admin, edge }: Pick<Config, 'host' | 'port' | 'admin' | 'edge'>,
  role: keyof typeof adminPorts | undefined = edge && 'edge',
): Promise<Health> {
  const at = role === undefined ? { host, port } : { host: admin.host, port: adminPortOf({ admin }, role) }
  const url = `http://${reachable(at.host)}:${at.port}/readyz`
  try {
    const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
    return { isReady: ok, text: ok ? 'ready' : `not ready: ${url} responded with ${status}` }
  } catch (error) {
    const { message, cause } = error as Error
    return { isReady: false, text: `not ready: ${url}: ${cause instanceof Error ? cause.message : message}` }
  }
}

/** A service that listens on every address is reached by that of this machine. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
