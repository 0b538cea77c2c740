// Frames of HTTP/2, written and read by hand: for what no client would send.

/** The first bytes of a connection, with settings of the client that change nothing. */
export const opening = () =>
  Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(FRAME.settings, 0, 0)])

export const FRAME = { headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7 } as const

export type Frame = { kind: number; flags: number; content: Buffer }

export const frame = (kind: number, flags: number, stream: number, content: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(9)
  head.writeUIntBE(content.length, 0, 3)
  head.writeUInt8(kind, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, content])
}

/** Those that have arrived as a whole. */
export function framesIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at + 9 <= bytes.length;) {
    const end = at + 9 + bytes.readUIntBE(at, 3)
    if (end > bytes.length) break
    frames.push({ kind: bytes.readUInt8(at + 3), flags: bytes.readUInt8(at + 4), content: bytes.subarray(at + 9, end) })
    at = end
  }
  return frames
}

/** Headers without compression. */
export const headerBlock = (headers: readonly (readonly [string, string])[]): Buffer =>
  Buffer.concat(headers.flatMap(([key, value]) => [Buffer.of(0), literal(key), literal(value)]))

/** An uncompressed HPACK string: its length with a seven-bit prefix, then its bytes. */
function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  const length: number[] = []
  if (bytes.length < 127) length.push(bytes.length)
  else {
    length.push(127)
    let rest = bytes.length - 127
    for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128)
    length.push(rest)
  }
  return Buffer.concat([Buffer.from(length), bytes])
}
