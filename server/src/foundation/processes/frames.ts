// Messages on a pipe, in both directions between the worker and the process that decodes photos: a JSON value and byte
// strings. A frame is the number of its parts, the length of each, then the parts; the first is the JSON.

export type Message = { head: unknown; blobs: readonly Buffer[] }

const PARTS_MAX = 16

export function encodeMessage({ head, blobs }: Message): Buffer {
  const parts = [Buffer.from(JSON.stringify(head)), ...blobs]
  const lengths = Buffer.alloc(4 + 4 * parts.length)
  lengths.writeUInt32BE(parts.length)
  for (const [index, { length }] of parts.entries()) lengths.writeUInt32BE(length, 4 + 4 * index)
  return Buffer.concat([lengths, ...parts])
}

/**
 * Returns a function that takes what arrives and returns the messages that are complete. The sender has decoded hostile
 * bytes: a frame that is too large or malformed throws before its parts are awaited.
 */
export function messageDecoder(bytesMax: number): (chunk: Buffer) => Message[] {
  let pieces: Buffer[] = []
  let held = 0
  let needed = 4

  return (chunk) => {
    pieces.push(chunk)
    held += chunk.length
    const messages: Message[] = []
    while (held >= needed) {
      // Joined only when enough has arrived, so that a large message is not copied for each of its pieces.
      const bytes = Buffer.concat(pieces)
      const frame = frameIn(bytes, bytesMax)
      needed = frame.length
      pieces = [bytes]
      if (held < needed || !frame.lengths) continue
      messages.push(messageIn(bytes, frame.lengths))
      pieces = [bytes.subarray(needed)]
      held -= needed
      needed = 4
    }
    return messages
  }
}

/** As far as it is known: the length of the frame, or of its beginning. */
type Frame = { length: number; lengths?: readonly number[] }

function frameIn(bytes: Buffer, bytesMax: number): Frame {
  const parts = bytes.readUInt32BE(0)
  if (parts < 1 || parts > PARTS_MAX) throw new Error(`a message of ${parts} parts`)
  const start = 4 + 4 * parts
  if (bytes.length < start) return { length: start }
  const lengths = Array.from({ length: parts }, (_, index) => bytes.readUInt32BE(4 + 4 * index))
  const length = lengths.reduce((sum, part) => sum + part, start)
  if (length > bytesMax) throw new Error(`a message of ${length} bytes`)
  return { length, lengths }
}

function messageIn(bytes: Buffer, lengths: readonly number[]): Message {
  let at = 4 + 4 * lengths.length
  const [head = Buffer.alloc(0), ...blobs] = lengths.map((length) => bytes.subarray(at, (at += length)))
  return { head: JSON.parse(head.toString()), blobs }
}
