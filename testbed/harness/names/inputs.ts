// Generated input that a person could type or paste, random but from a seed: valid hostnames,
// valid hostnames with a fault, other invalid input, and noise. Input that must certainly be
// rejected by its construction is marked.

import { encodePunycode } from './punycode.ts'

export type Input = { typed: string; mustBeRefused: boolean }
export type Chance = { below: (end: number) => number; of: <T>(list: readonly T[]) => T }

const invisible = [0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x202e, 0x2060, 0xfeff, 0x180e, 0x3164, 0xe0061, 0x34f]
const dots = [0x3002, 0xff0e, 0xff61, 0x2024, 0xfe52]
const slashes = [0x2044, 0x2215, 0x29f8, 0xff0f, 0xff3c, 0x338]
const signs = Array.from('_!"$&\'()+,;<=>[]^`{|}~ \\@%', (char) => char.codePointAt(0) ?? 0)
const controls = [0, 1, 7, 0xb, 0x1b, 0x7f, 0x85, 0x9f]
const neverInNames = [...invisible, ...dots, ...slashes, ...signs, ...controls]
const scripts = [
  [0x61, 0x7a],
  [0xdf, 0x17f],
  [0x3b1, 0x3c9],
  [0x430, 0x45f],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x905, 0x939],
  [0xe01, 0xe2e],
  [0x3041, 0x30fa],
  [0x4e00, 0x9fa5],
  [0xac00, 0xd7a3],
  [0x1f400, 0x1f43f],
] as const
const reserved = 'localhost local internal test example invalid onion arpa home.arpa alt example.com'.split(' ')
const shared = 'com co.uk com.au co.jp github.io gov.uk myshopify.com kawasaki.jp pages.dev org de app'.split(' ')

export function inputs(good: readonly string[], bad: readonly string[], chance: Chance): () => Input {
  const free = (typed: string): Input => ({ typed, mustBeRefused: false })
  const refused = (typed: string): Input => ({ typed, mustBeRefused: true })
  const name = () => chance.of(good)
  const ways: readonly (() => Input)[] = [
    () => free(inRandomCase(name(), chance)),
    () => free(asAddress(name(), chance)),
    () => free(mutated(name(), chance)),
    () => free(mutated(mutated(asAddress(name(), chance), chance), chance)),
    () => free(mutated(chance.of(bad), chance)),
    () => free(spliced(name(), chance.of(bad), chance)),
    () => free(`${word(chance)}.${name()}`),
    () => free(`${noise(chance)}.${name().split('.').at(-1) ?? 'com'}`),
    () => free(`xn--${digitsAndLetters(chance)}.com`),
    () => free(`xn--${encodePunycode(word(chance))}.${chance.of(['com', 'de', 'org', 'jp'])}`),
    () => free(noise(chance)),
    () => refused(withInside(name(), String.fromCodePoint(chance.of(neverInNames)), chance)),
    () => refused(anAddress(chance)),
    () => refused(`${asciiWord(chance)}.${chance.of(reserved)}`),
    () => refused(chance.of([(suffix: string) => suffix, (suffix: string) => `https://${suffix}/`])(chance.of(shared))),
    () => refused(inRandomCase(`${asciiWord(chance)}.petstore.app`, chance)),
    () => refused(`*.${name()}`),
    () => refused(`https://${asciiWord(chance)}@${name()}/`),
    () => refused(`${'a'.repeat(64 + chance.below(200))}.${name()}`),
    () => refused(`${'a.'.repeat(10 + chance.below(150))}${name()}`),
    () => refused(`${asciiWord(chance)}.${chance.below(1000)}`),
    () => refused(withInside(name(), chance.of(['../../../server/test', '.-', '-.']), chance)),
    () => refused(chance.of(bad)),
  ]
  return () => chance.of(ways)()
}

const inRandomCase = (text: string, chance: Chance) =>
  Array.from(text, (char) => (chance.below(2) ? asciiUpper(char) : char)).join('')
const asciiUpper = (char: string) => (/[a-z]/.test(char) ? char.toUpperCase() : char)

const asAddress = (name: string, chance: Chance) =>
  chance.of(['', ' ', 'https://', 'http://', 'HTTPS://', '//']) +
  name +
  chance.of(['', '.', ':443', ':8080', '.:80', ':99999']) +
  chance.of(['', '/', '/cats?x=1', '?a=b', '#top', '/@x', ' ', '\n'])

/** Not at the ends, where some of these would be trimmed, but inside the name. */
function withInside(name: string, text: string, chance: Chance): string {
  const chars = Array.from(name)
  const at = 1 + chance.below(Math.max(chars.length - 2, 1))
  return [...chars.slice(0, at), text, ...chars.slice(at)].join('')
}

function mutated(text: string, chance: Chance): string {
  const chars = Array.from(text)
  const at = chance.below(chars.length + 1)
  const piece = () =>
    chance.of([
      () => String.fromCodePoint(chance.of(neverInNames)),
      () =>
        chance.of([
          '.',
          '-',
          '--',
          'xn--',
          '0x',
          '1',
          'a',
          'ß',
          '/',
          ':',
          '@',
          '?',
          '#',
          '%2e',
          '*',
          '../../../server/test',
          'İ',
          '·',
        ]),
      () => character(chance),
      () => String.fromCodePoint(chance.below(0x3000)),
    ])()
  const removed = chance.below(3)
  return [...chars.slice(0, at), removed === 2 ? '' : piece(), ...chars.slice(at + (removed ? 1 : 0))].join('')
}

const spliced = (one: string, other: string, chance: Chance) =>
  one.slice(0, chance.below(one.length + 1)) + other.slice(chance.below(other.length + 1))

function character(chance: Chance): string {
  const [first, last] = chance.of(scripts)
  return String.fromCodePoint(first + chance.below(last - first + 1))
}

function word(chance: Chance): string {
  const [first, last] = chance.of(scripts)
  const one = () => String.fromCodePoint(first + chance.below(last - first + 1))
  return Array.from({ length: 1 + chance.below(12) }, () => (chance.below(12) ? one() : character(chance))).join('')
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const asciiWord = (chance: Chance) =>
  Array.from({ length: 1 + chance.below(12) }, () => letters[chance.below(26)]).join('')
const digitsAndLetters = (chance: Chance) =>
  Array.from({ length: 1 + chance.below(14) }, () => `${letters}0123456789-`[chance.below(37)]).join('')

const noise = (chance: Chance) =>
  Array.from({ length: 1 + chance.below(16) }, () => {
    const code = chance.of([0x80, 0x250, 0x3000, 0x1_1000, 0x11_0000])
    return String.fromCodePoint(chance.below(code))
  }).join('')

function anAddress(chance: Chance): string {
  const number = (value: number) =>
    chance.of([String(value), `0x${value.toString(16)}`, `0X${value.toString(16)}`, `0${value.toString(8)}`])
  const hex = () => chance.below(65_536).toString(16)
  return chance.of([
    () => Array.from({ length: 1 + chance.below(4) }, () => number(chance.below(256))).join('.'),
    () => number(chance.below(2 ** 31)),
    () => `[${hex()}::${hex()}]`,
    () => `http://[::ffff:${hex()}:${hex()}]:80/`,
    () => `${hex()}:${hex()}::${hex()}`,
    () => `https://${number(chance.below(256))}.${number(chance.below(256))}/`,
  ])()
}
