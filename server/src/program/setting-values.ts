// The forms of the values of settings: each function parses one, or returns undefined. Pure.

import { Secret } from '../foundation/secret.ts'

export function readHttpAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username
  return isPlain ? text : undefined
}

export function readOrigin(text: string): string | undefined {
  return readHttpAddress(text) !== undefined && new URL(text).origin === text ? text : undefined
}

export function readHostAndPort(text: string): string | undefined {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(text) ? text : undefined
}

export function readBaseAddress(text: string): string | undefined {
  return text.endsWith('/v1') ? readHttpAddress(text) : undefined
}

export function readDatabaseUrl(text: string): Secret | undefined {
  return /^postgres(ql)?:\/\//.test(text) ? new Secret(text) : undefined
}

export function readFolder(text: string): string | undefined {
  return text.startsWith('/') ? text : undefined
}

export function readSecret(text: string): Secret | undefined {
  return text.length >= 32 ? new Secret(text) : undefined
}

export function readKey(text: string): Secret | undefined {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? new Secret(text) : undefined
}

export function readEmail(text: string): string | undefined {
  return /^[^\s@,]+@[^\s@,]+$/.test(text) ? text : undefined
}

export function readName(text: string): string | undefined {
  return /^[^\p{Cc}]{1,100}$/u.test(text) && text.trim() !== '' ? text : undefined
}

export function readList(text: string): readonly string[] | undefined {
  const items = text.split(',').map((item) => item.trim())
  return items.every((item) => /^[0-9a-fA-F.:/]+$/.test(item)) ? items : undefined
}

export function readNames(text: string): readonly string[] | undefined {
  const names = text.split(',').flatMap((name) => name.trim() || [])
  return names.every((name) => /^[a-z0-9-]{3,63}$/.test(name)) ? names : undefined
}

export function readSeconds(text: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  return time < Date.UTC(2030, 11, 5) ? time / 1000 : undefined
}
