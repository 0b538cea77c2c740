// Parses the command of a person into a change of a zone. People type absolute names without a
// trailing dot and texts without quotes, as in a provider's form; mistakes are returned as
// sentences. Pure.

import type { Edit } from './update.ts'

export type ZoneCommand =
  | { kind: 'show' }
  | { kind: 'edit'; edit: Edit; done: string }
  | { kind: 'mistake'; say: string }

const types = ['A', 'AAAA', 'CNAME', 'TXT', 'NS', 'MX', 'CAA', 'DS', 'DNAME']

export const usage = `npm run world -- zone <zone> show
npm run world -- zone <zone> set <name> <type> <value>      the only record of that type (for a CNAME: the only record)
npm run world -- zone <zone> add <name> <type> <value>      one more record
npm run world -- zone <zone> remove <name> [<type> [<value>]]
The name @ is the zone itself. Examples:
npm run world -- zone willow-street.test set shop CNAME happy-paws.petstore.test
npm run world -- zone willow-street.test add @ TXT "petstore-verification=abc"`

export function parseZoneCommand(zone: string, words: readonly string[]): ZoneCommand {
  const [verb = 'show', typedName, typedType, ...values] = words
  if (verb === 'show') return { kind: 'show' }
  if (!['set', 'add', 'remove'].includes(verb))
    return mistake(`"${verb}" is not something that can be done with a zone.\n${usage}`)
  if (typedName === undefined) return mistake(`Which name in ${zone}? Use @ for ${zone} itself.`)
  const name = wholeName(typedName, zone)
  if (name === null) return mistake(`${typedName} is not in ${zone}.`)
  const type = typedType?.toUpperCase()
  if (type !== undefined && !types.includes(type))
    return mistake(`"${typedType}" is no type of record that can be set here: ${types.join(', ')}.`)
  const value = values.join(' ')
  if (verb === 'remove') return removal(name, type, value)
  if (type === undefined || value === '')
    return mistake(`Which record? For example: ${verb} ${typedName} CNAME happy-paws.petstore.test`)
  const problem = problemWith(type, value)
  if (problem !== null) return mistake(problem)
  const line = `${name} ${type} ${written(type, value)}`
  // A name with a CNAME can have no other record, so the CNAME is removed when another type is set.
  const before = verb === 'add' ? [] : type === 'CNAME' ? [name] : [`${name} ${type}`, `${name} CNAME`]
  return { kind: 'edit', edit: { remove: before, add: [line] }, done: `${line}   has been saved.` }
}

function removal(name: string, type: string | undefined, value: string): ZoneCommand {
  const line = [name, type ?? '', type === undefined || value === '' ? '' : written(type, value)]
    .filter((part) => part !== '')
    .join(' ')
  return { kind: 'edit', edit: { remove: [line] }, done: `${line}   has been removed.` }
}

const mistake = (message: string): ZoneCommand => ({ kind: 'mistake', say: message })

/** `shop`, `shop.willow-street.test` and `@` all work; a trailing dot marks an absolute name. */
function wholeName(typed: string, zone: string): string | null {
  const name = typed.toLowerCase()
  if (name === '@') return `${zone}.`
  if (name.endsWith('.')) return `.${name}`.endsWith(`.${zone}.`) ? name : null
  return name === zone || name.endsWith(`.${zone}`) ? `${name}.` : `${name}.${zone}.`
}

function problemWith(type: string, value: string): string | null {
  if (type === 'A' && !/^\d{1,3}(\.\d{1,3}){3}$/.test(value))
    return `An A record holds an IPv4 address such as 192.0.2.1, not "${value}".`
  if (type === 'AAAA' && !value.includes(':'))
    return `An AAAA record holds an IPv6 address such as 2001:db8::1, not "${value}".`
  if (type === 'CAA' && !/^\d+ \w+ \S/.test(value)) return 'A CAA record is written as in: 0 issue "letsencrypt.org"'
  if (type === 'MX' && !/^\d+ \S+$/.test(value)) return 'An MX record is written as in: 10 mail.example.test'
  return null
}

function written(type: string, value: string): string {
  if (type === 'TXT') return value.startsWith('"') ? value : `"${value.replaceAll('"', '\\"')}"`
  if (type === 'CAA') return value.replace(/^(\d+ \w+) (?!")(.*)$/, '$1 "$2"')
  if (!['CNAME', 'NS', 'MX', 'DNAME'].includes(type)) return value
  return value.endsWith('.') ? value : `${value}.`
}
