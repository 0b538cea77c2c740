// Reads the settings of the relay. Readers return undefined for invalid values, so that the
// configuration reports all errors together.

import { isHostname } from '../dns/hostname.ts'
import { Secret } from '../secret.ts'
import type { MailAddress, RelaySettings } from './relay.io.ts'
import { readAddress } from './address.ts'

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

/**
 * `smtps://user:password@host`, or `smtp://` with STARTTLS, without which nothing is sent. Only a relay on this machine
 * is spoken to in plain text.
 */
export function readRelay(text: string): Omit<RelaySettings, 'roots'> | undefined {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined
  const isImplicit = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (isImplicit ? 465 : 587),
    tls: isImplicit ? 'implicit' : isLoopback(url.hostname) ? 'none' : 'starttls',
    user: url.username === '' ? undefined : decodeURIComponent(url.username),
    password: url.password === '' ? undefined : new Secret(decodeURIComponent(url.password)),
  }
}

/** `Petstore <no-reply@mail.example>`, or the address alone. */
export function readSender(text: string): MailAddress | undefined {
  const [, name = '', inBrackets] = /^(?:"?([^"<>\p{Cc}]{0,60}?)"?\s*<([^<>]+)>)$/u.exec(text.trim()) ?? []
  const address = readAddress(inBrackets ?? text.trim())
  return address === undefined ? undefined : { name: name.trim(), address }
}

export const readDkimDomain = (text: string): string | undefined => (isHostname(text) ? text : undefined)

export const readSelector = (text: string): string | undefined =>
  /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/i.test(text) ? text : undefined

export const readPrivateKey = (text: string): Secret | undefined =>
  /^-----BEGIN (RSA )?PRIVATE KEY-----[\s\S]+-----END (RSA )?PRIVATE KEY-----\s*$/.test(text)
    ? new Secret(text)
    : undefined
