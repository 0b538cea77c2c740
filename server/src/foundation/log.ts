// Log lines are batched: those of one turn of the event loop go out in one write, because a
// system call per line would be the most expensive part of many requests. Shutdown flushes the
// buffer; only a crash can lose lines, those of its last turn.

export type LogStream = { write(line: string): void; flush(): void }

export function batchLogLines(write: (text: string) => void): LogStream {
  let waiting = ''
  const flush = () => {
    const text = waiting
    waiting = ''
    if (text !== '') write(text)
  }
  return {
    write(line) {
      if (waiting === '') setImmediate(flush)
      waiting += line
    },
    flush,
  }
}
