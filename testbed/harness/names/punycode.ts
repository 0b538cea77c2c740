// Punycode (RFC 3492) in both directions, written from the text of the RFC: so that hostnames
// are not checked by the same code that parsed them.

const BASE = 36
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_CODE_POINT = 128

export function decodePunycode(encoded: string): string | null {
  const lastHyphen = encoded.lastIndexOf('-')
  const output = Array.from(encoded.slice(0, Math.max(lastHyphen, 0)), codeOf)
  let [position, codePoint, bias] = [0, INITIAL_CODE_POINT, INITIAL_BIAS]
  let at = lastHyphen > 0 ? lastHyphen + 1 : 0
  while (at < encoded.length) {
    const start = position
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digits.indexOf(encoded[at++] ?? '?')
      if (digit === -1) return null
      position += digit * weight
      const threshold = thresholdOf(k, bias)
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const length = output.length + 1
    bias = adapted(position - start, length, start === 0)
    codePoint += Math.floor(position / length)
    position %= length
    if (codePoint > 0x10_ffff) return null
    output.splice(position++, 0, codePoint)
  }
  return String.fromCodePoint(...output)
}

export function encodePunycode(text: string): string {
  const input = Array.from(text, codeOf)
  const basic = input.filter((code) => code < INITIAL_CODE_POINT)
  let output = String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : '')
  let [codePoint, delta, bias, handled] = [INITIAL_CODE_POINT, 0, INITIAL_BIAS, basic.length]
  while (handled < input.length) {
    const next = Math.min(...input.filter((code) => code >= codePoint))
    delta += (next - codePoint) * (handled + 1)
    codePoint = next
    for (const code of input) {
      if (code < codePoint) delta++
      if (code !== codePoint) continue
      output += variableLength(delta, bias)
      bias = adapted(delta, handled + 1, handled === basic.length)
      delta = 0
      handled++
    }
    delta++
    codePoint++
  }
  return output
}

const digits = 'abcdefghijklmnopqrstuvwxyz0123456789'

const codeOf = (char: string) => char.codePointAt(0) ?? 0

const thresholdOf = (k: number, bias: number) => Math.min(Math.max(k - bias, 1), 26)

function variableLength(delta: number, bias: number): string {
  let [text, rest] = ['', delta]
  for (let k = BASE; ; k += BASE) {
    const threshold = thresholdOf(k, bias)
    if (rest < threshold) return text + (digits[rest] ?? '')
    text += digits[threshold + ((rest - threshold) % (BASE - threshold))] ?? ''
    rest = Math.floor((rest - threshold) / (BASE - threshold))
  }
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > 455; k += BASE) rest = Math.floor(rest / 35)
  return k + Math.floor((36 * rest) / (rest + 38))
}
