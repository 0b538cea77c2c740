// Reads the calendar file of a mail as strictly as RFC 5545 is written, and throws at the first departure from it: line ends,
// folding, the grammar of a line, escapes, components, and how often a property may occur. It shares nothing with the writer.

export type ReadEvent = Readonly<Record<string, string>>
export type ReadCalendar = { method: string; event: ReadEvent }

const contentLine = /^([A-Z][A-Z-]*)((?:;[A-Z-]+=(?:"[^"\p{Cc}]*"|[^";:,\p{Cc}]*))*):([^\p{Cc}]*)$/u
const dateTime = /^\d{8}T\d{6}Z$/
const eventProperties = ['UID', 'SEQUENCE', 'DTSTAMP', 'DTSTART', 'SUMMARY', 'LOCATION', 'ORGANIZER', 'STATUS']
const mayBeMissing = new Set(['LOCATION'])

export function readCalendar(file: string): ReadCalendar {
  const properties = unfolded(file).map((line) => {
    const [, name = '', parameters = '', value = ''] = contentLine.exec(line) ?? fail(`no content line: ${line}`)
    return { name, parameters, value }
  })
  const [begin, version, product, method, beginEvent, ...rest] = properties
  const [end, endEvent] = [rest.pop(), rest.pop()]
  const frame = [begin, version, beginEvent, endEvent, end].map((each) => `${each?.name}:${each?.value}`)
  const expected = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'END:VEVENT', 'END:VCALENDAR']
  if (frame.join() !== expected.join() || product?.name !== 'PRODID')
    fail(`not one event in one calendar: ${frame.join()}`)
  if (method?.name !== 'METHOD' || !['PUBLISH', 'CANCEL'].includes(method.value)) fail('no method')

  const event: Record<string, string> = {}
  for (const { name, parameters, value } of rest) {
    if (!eventProperties.includes(name) || name in event) fail(`${name} is unknown or repeated`)
    event[name] = name === 'SUMMARY' || name === 'LOCATION' ? unescaped(value) : value
    if (name === 'ORGANIZER') event['CN'] = /^;CN="([^"]*)"$/.exec(parameters)?.[1] ?? fail('no name of the organizer')
    else if (parameters !== '') fail(`${name} has parameters`)
  }
  for (const name of eventProperties) if (!(name in event) && !mayBeMissing.has(name)) fail(`${name} is missing`)
  for (const name of ['DTSTAMP', 'DTSTART']) if (!dateTime.test(event[name] ?? '')) fail(`${name} is not in UTC`)
  if (!/^\d{1,9}$/.test(event['SEQUENCE'] ?? '')) fail('SEQUENCE is no number')
  if (event['STATUS'] !== (method?.value === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED')) fail('STATUS contradicts METHOD')
  return { method: method?.value ?? '', event }
}

const part = /\r\nContent-Type: text\/calendar;([^\r]*(?:\r\n [^\r]*)*)\r\n[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)\r\n--/

/** The calendar file that a mail has as an attachment, from the bytes of the mail: parsers of mail change line ends. */
export function calendarOf(mail: Buffer | string): ReadCalendar {
  const [, parameters = '', encoded = ''] = part.exec(String(mail)) ?? fail('the mail has none')
  const read = readCalendar(String(Buffer.from(encoded, 'base64')))
  if (!parameters.includes(`method=${read.method}`)) fail('the mail names another method')
  return read
}

function unfolded(file: string): string[] {
  if (!file.endsWith('\r\n')) fail('the last line has no end')
  const lines = file.slice(0, -2).split('\r\n')
  if (lines.some((line) => line.includes('\n') || line.includes('\r'))) fail('a line ends in something else than CRLF')
  if (lines.some((line) => new TextEncoder().encode(line).length > 75)) fail('a line has more than 75 octets')
  if (!file.isWellFormed()) fail('a character is divided')
  return lines.reduce<string[]>((whole, line) => {
    if (line.startsWith(' ')) whole[whole.length - 1] += line.slice(1)
    else whole.push(line)
    return whole
  }, [])
}

function unescaped(value: string): string {
  if (!/^(?:[^\\;,]|\\[\\;,nN])*$/.test(value)) fail(`not escaped: ${value}`)
  return value.replaceAll(/\\(.)/g, (_, character: string) => (/n/i.test(character) ? '\n' : character))
}

function fail(why: string): never {
  throw new Error(`not a calendar file: ${why}`)
}
