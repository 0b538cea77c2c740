import { expect, test } from 'vitest'
import { commandsIn } from './commands-in.ts'

const fence = '```'
const document = `# Operations

## Other

${fence}sh
no
${fence}

## One machine

Text.

${fence}sh
apt-get install caddy        # a comment
petstore start --url 'a#b'

# only a comment
${fence}

${fence}sh
later
${fence}
`

test('the commands of the first block below a heading are read without comments', () => {
  expect(commandsIn(document, '## One machine')).toEqual(['apt-get install caddy', "petstore start --url 'a#b'"])
})

test('a heading without commands is an error', () => {
  expect(() => commandsIn(document, '## Two machines')).toThrow('no heading')
  expect(() => commandsIn('\n## Empty\n', '## Empty')).toThrow('no shell block')
})
