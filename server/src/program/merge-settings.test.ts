import { expect, test } from 'vitest'
import { mergeSettings, type Source } from './merge-settings.ts'

function source(kind: Source['kind'], texts: Readonly<Record<string, string>>, path?: string): Source {
  const values = new Map(Object.entries(texts).map(([name, text]) => [name, { text }]))
  return { kind, values, names: Object.keys(texts), ...(path !== undefined && { path }) }
}
const file = (texts: Readonly<Record<string, string>>) => source('file', texts, '/etc/petstore/petstore.env')
const originOf = (sources: readonly Source[], name: string) =>
  mergeSettings(sources).all.find((one) => one.name === name)

test('the environment wins over the secrets directory, and that over the file', () => {
  const sources = [
    file({ PORT: '1', HOST: 'a', PROBE_SECRET: 'in the file' }),
    source('secrets directory', { PROBE_SECRET: 'in the directory', EDGE_KEY: 'k' }),
    source('environment', { PORT: '2', EDGE_KEY: 'l' }),
  ]
  expect(mergeSettings(sources).env).toEqual({ PORT: '2', HOST: 'a', PROBE_SECRET: 'in the directory', EDGE_KEY: 'l' })
  expect(originOf(sources, 'HOST')).toMatchObject({ origin: 'file', path: '/etc/petstore/petstore.env' })
  expect(originOf(sources, 'PROBE_SECRET')).toMatchObject({ origin: 'secrets directory' })
  expect(originOf(sources, 'PORT')).toEqual({ name: 'PORT', text: '2', origin: 'environment' })
  expect(originOf(sources, 'EDGE_PORT')).toEqual({ name: 'EDGE_PORT', text: '3080', origin: 'default' })
})

test('an empty value counts as none', () => {
  const sources = [file({ PORT: '1' }), source('environment', { PORT: '' })]
  expect(originOf(sources, 'PORT')).toMatchObject({ text: '1', origin: 'file' })
})

test('an unknown name in the file is a mistake', () => {
  const { mistakes, warnings } = mergeSettings([file({ BASE_ULR: 'x', TELEMETRY: 'on', DATABASE_URL_FILE: '/a' })])
  expect(mistakes).toEqual([
    'BASE_ULR in /etc/petstore/petstore.env is not a setting. Did you mean BASE_URL?',
    'TELEMETRY in /etc/petstore/petstore.env is not a setting.',
  ])
  expect(warnings).toEqual([])
})

test('in the environment only a name that is almost that of a setting is reported, as a warning', () => {
  const { mistakes, warnings } = mergeSettings([
    source('environment', { BASE_ULR: 'x', TELEMETRY: 'on', HOME: '/root' }),
    source('secrets directory', { DATABASE_UR: 'x', 'tls.crt': '' }),
  ])
  expect(mistakes).toEqual([])
  expect(warnings).toEqual([
    'BASE_ULR in the environment is not a setting. Did you mean BASE_URL?',
    'DATABASE_UR in the secrets directory is not a setting. Did you mean DATABASE_URL?',
  ])
})

test('the file of a value is known, so that it can be read again', () => {
  const values = new Map([['PLATFORM_CERTIFICATE', { text: 'pem', path: '/etc/bundle.pem' }]])
  const file = {
    kind: 'file',
    path: '/etc/petstore/petstore.env',
    values,
    names: ['PLATFORM_CERTIFICATE_FILE'],
  } as const
  expect(mergeSettings([file]).env).toEqual({
    PLATFORM_CERTIFICATE: 'pem',
    PLATFORM_CERTIFICATE_FILE: '/etc/bundle.pem',
  })
  const plain = new Map([['PORT', { text: '3001' }]])
  expect(mergeSettings([{ ...file, values: plain, names: ['PORT'] }]).env).toEqual({ PORT: '3001' })
})
