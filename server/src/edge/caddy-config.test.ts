import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { caddyConfig, caddyConfigText, defaultCaddySettings } from './caddy-config.ts'

test('the file in caddy/ equals the generated configuration for the default ports', () => {
  const file = readFileSync(join(import.meta.dirname, '../../../caddy/caddy.json'), 'utf8')
  expect(JSON.parse(file)).toEqual(caddyConfig(defaultCaddySettings))
  expect(JSON.parse(caddyConfigText(defaultCaddySettings))).toEqual(JSON.parse(file))
})

test('every address has a listener of its own, with IPv6 in brackets', () => {
  const { servers } = caddyConfig({ ...defaultCaddySettings, addresses: ['192.0.2.1', '2001:db8::1'] }).apps.http
  expect(servers.tls.listen).toEqual(['192.0.2.1:443', '[2001:db8::1]:443'])
  expect(servers.plain.listen).toEqual(['192.0.2.1:80', '[2001:db8::1]:80'])
})

test('visitors connect by TLS 1.2 or newer', () => {
  const { tls } = caddyConfig(defaultCaddySettings).apps.http.servers
  expect(tls.tls_connection_policies).toEqual([{ protocol_min: 'tls1.2' }])
})

test('no issuer is configured, session tickets are off, and the admin endpoint is disabled', () => {
  const config = caddyConfig(defaultCaddySettings)
  expect(JSON.stringify(config)).not.toMatch(/issuers|acme|zerossl|internal/)
  expect(config.apps.tls.session_tickets).toEqual({ disabled: true })
  expect(config.admin).toEqual({ disabled: true, config: { persist: false } })
})
