// The program of the process that judges rows (judge-process.io.ts starts it). It takes what they are judged by, then
// rows, from stdin, and writes what becomes of them to stdout. Their cells are hostile, so it holds no secret.

import { deserialize } from 'node:v8'
import { encodeMessage, messageDecoder } from '../foundation/processes/frames.ts'
import type { JudgeRequest } from './judge-process.io.ts'
import type { RowJudgement } from './judge.ts'
import { rowJudge, type RowJudge } from './row-judge.ts'

const send = (head: unknown) => process.stdout.write(encodeMessage({ head, blobs: [] }))

/** As JSON, which has no integers of 64 bits. */
const asText = ({ next, ...judgement }: RowJudgement) => ({
  ...judgement,
  ...(next && {
    next: { ...next, category: 'id' in next.category ? { id: String(next.category.id) } : next.category },
  }),
})

let judge: RowJudge | undefined

async function replyTo(request: JudgeRequest): Promise<unknown> {
  if ('opening' in request) judge = rowJudge(request.opening)
  else if (request.rows) return (await judge?.judge(request.rows))?.map(asText)
  else return judge?.values()
  return null
}

const messagesIn = messageDecoder(Infinity)

process.stdin.on('data', (chunk: Buffer) => {
  for (const { blobs } of messagesIn(chunk))
    for (const blob of blobs) void replyTo(deserialize(blob) as JudgeRequest).then(send)
})
process.stdin.on('end', () => process.exit())
send(null)
