// The log's way out. Lines of one turn of the event loop leave in one write: a
// system call a line would be the dearest part of many a request. Whoever stops
// the process flushes; only a crash can lose lines, those of its last turn.

export type LogStream = { write(line: string): void; flush(): void }

export function turnwise(write: (text: string) => void): LogStream {
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
