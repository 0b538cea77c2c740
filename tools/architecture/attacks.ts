// Finds regular expressions whose cost grows faster than their input: texts that repeat what an expression can repeat, and
// then do not match, are made longer until one of them costs more than any linear expression. The time of the
// processor is what it measures, so that a busy machine makes no difference.

import { processorTime } from '@petstore-platform/contract/processor-time.fake'

type Node =
  | { kind: 'letter'; samples: readonly string[] }
  | { kind: 'sequence' | 'options'; nodes: readonly Node[] }
  | { kind: 'aside'; node: Node }
  | { kind: 'repeat'; node: Node; least: number; most: number }

/** Letters that stand for the classes that expressions have. */
const ALPHABET = Array.from(' \n\ta-0.z,/(:%;Z"\'<=[{_!#$&)*+>?@\\]^`|}~9xXeé½×€中\u0301\u00A0\u0001')
const SAMPLES_MAX = 6

/** Reads an expression as far as an attack needs it. */
function parsed(source: string, flags: string): Node {
  let at = 0
  const takes = (text: string) => source.startsWith(text, at) && ((at += text.length), true)
  const matching = (pattern: RegExp) => {
    pattern.lastIndex = at
    const [found = ''] = pattern.exec(source) ?? []
    at += found.length
    return found
  }
  const letterOf = (text: string): Node => {
    const one = new RegExp(`^(?:${text})$`, flags.replaceAll(/[gy]/g, ''))
    const samples = [text, ...ALPHABET].filter((letter) => Array.from(letter).length === 1 && one.test(letter))
    return { kind: 'letter', samples: samples.slice(0, SAMPLES_MAX) }
  }
  const options = (): Node => {
    const nodes = [sequence()]
    while (takes('|')) nodes.push(sequence())
    return { kind: 'options', nodes }
  }
  const sequence = (): Node => {
    const nodes: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(repeated(atom()))
    return { kind: 'sequence', nodes }
  }
  const atom = (): Node => {
    const isAside = matching(/\^|\$|\\[bB]|\\[1-9]|\\k<\w+>/y) !== ''
    if (isAside) return { kind: 'aside', node: { kind: 'sequence', nodes: [] } }
    const group = matching(/\((?:\?(?:[:=!]|<[=!]|<\w+>))?/y)
    if (group !== '') {
      const node = options()
      at += 1
      return /[=!]$/.test(group) ? { kind: 'aside', node } : node
    }
    return letterOf(
      matching(/\[(?:\\[^]|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])|[^]/y),
    )
  }
  const repeated = (node: Node): Node => {
    const [, mark = '', least = '', comma, most = ''] =
      /^([*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(matching(/(?:[*+?]|\{\d+,?\d*\})\??/y)) ?? []
    if (mark === '') return node
    if (mark === '?') return { kind: 'repeat', node, least: 0, most: 1 }
    if (mark === '*' || mark === '+') return { kind: 'repeat', node, least: mark === '+' ? 1 : 0, most: Infinity }
    const atMost = comma === '' ? Number(least) : most === '' ? Infinity : Number(most)
    return { kind: 'repeat', node, least: Number(least), most: atMost }
  }
  return options()
}

/** The shortest text that it matches, as far as that can be seen. */
function shortest(node: Node): string {
  if (node.kind === 'letter') return node.samples[0] ?? ''
  if (node.kind === 'aside') return ''
  if (node.kind === 'repeat') return shortest(node.node).repeat(Math.min(node.least, 40))
  const texts = node.nodes.map(shortest)
  return node.kind === 'sequence'
    ? texts.join('')
    : texts.reduce((one, other) => (other.length < one.length ? other : one))
}

/** Texts of one round of a repetition. */
function rounds(node: Node): string[] {
  if (node.kind === 'letter') return [...node.samples]
  if (node.kind === 'options') return node.nodes.flatMap(rounds)
  if (node.kind === 'repeat') return rounds(node.node)
  return [shortest(node), ...('nodes' in node ? node.nodes.flatMap(rounds) : [])]
}

type Attack = { before: string; repeated: string; after: string }

/** What repeats more often than this is taken for endless. */
const FEW = 16
const ATTACKS_MAX = 60
/** What may keep an expression from matching. */
const ENDS = ['\u0001', '\u0001 \u0001']

export function attacksOn(source: string, flags: string): Attack[] {
  const tree = parsed(source, flags)
  const found: [before: string, repeated: string][] = []
  const walk = (node: Node, before: string): void => {
    if (node.kind === 'aside') return walk(node.node, before)
    if (node.kind === 'options') return node.nodes.forEach((one) => walk(one, before))
    if (node.kind === 'sequence') {
      node.nodes.reduce((text, one) => (walk(one, text), text + shortest(one)), before)
    } else if (node.kind === 'repeat') {
      if (node.most > FEW)
        for (const round of rounds(node.node))
          found.push(['', round], [before, round], ['', before], ['', before + round])
      walk(node.node, before)
    }
  }
  walk(tree, '')
  // Without an endless repetition, each position costs the same.
  if (found.length === 0) return []
  found.push(['', shortest(tree)], ['', shortest(tree).slice(0, -1)])
  const keys = new Set(found.filter(([, repeated]) => repeated !== '').map((one) => JSON.stringify(one)))
  return [...keys].slice(0, ATTACKS_MAX).flatMap((key) => {
    const [before = '', repeated = ''] = JSON.parse(key) as string[]
    return ENDS.map((after) => ({ before, repeated, after }))
  })
}

/** Short ones first: what grows exponentially is found before it takes for ever. */
const LENGTHS = [16, 20, 24, 28, 32, 36, 40, 48, 64, 128, 512, 2048, 8192]
/** At these two, the cost of a linear expression grows fourfold, that of a quadratic one sixteenfold. */
const [LONG, LONGER] = [20_000, 80_000]
const GROWTH_MAX = 9
/** A collection of garbage may slow one of two measurements down. */
const REPETITIONS = [1, 2, 3]
/** What costs less for a long text is not measured again: a quadratic expression costs more. */
const NOTICED_MS = 4
/** So much is never linear. */
const MS_MAX = 60

/** The attack that costs too much; undefined if none does. `lengthMax`: of what the expression ever meets. */
export function costOf(source: string, flags: string, lengthMax = Infinity): (Attack & { length: number }) | undefined {
  // Splitting and replacing search again behind what was found.
  const expression = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  for (const attack of attacksOn(source, flags)) {
    for (const length of [...LENGTHS.filter((one) => one < lengthMax), Math.min(lengthMax, LONG)]) {
      const text = textOf(attack, length)
      if (leastCost(expression, text, MS_MAX) > MS_MAX) return { ...attack, length }
    }
    if (lengthMax > LONGER && REPETITIONS.every(() => grows(expression, attack))) return { ...attack, length: LONGER }
  }
  return undefined
}

const textOf = ({ before, repeated, after }: Attack, length: number) =>
  before + repeated.repeat(Math.ceil(length / repeated.length)).slice(0, length) + after

function grows(expression: RegExp, attack: Attack): boolean {
  const cost = leastCost(expression, textOf(attack, LONG), NOTICED_MS)
  if (cost < NOTICED_MS) return false
  return leastCost(expression, textOf(attack, LONGER), cost * GROWTH_MAX) > cost * GROWTH_MAX
}

const leastCost = (expression: RegExp, text: string, enough: number) =>
  processorTime(() => text.replace(expression, ''), enough, 3)
