import { expect, test } from 'vitest'
import { languages } from '@petstore-platform/contract/platform/site'
import { confirmationMail } from './confirmation-mail.ts'

test.each(languages)('a name that looks like an address is left out of the mail (%s)', (language) => {
  const url = 'https://happy-paws.petstore.example/requests/confirm/0'
  const mailOf = (store: string, animal: string) =>
    JSON.stringify({ ...confirmationMail({ language, store, animal, url }), url: undefined })
  expect(mailOf('Happy Paws', 'Rex')).toContain('Happy Paws')
  expect(mailOf('Happy Paws', 'Rex')).toContain('Rex')
  expect(mailOf('petstore-login.com', 'see bit.ly/3xYz')).not.toMatch(/petstore-login|bit\.ly/)
})
