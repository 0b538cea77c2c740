// Requests that need a recent sign-in: one question for all that are refused, and what happens afterwards.

import { beforeEach, expect, test, vi } from 'vitest'
import { answerQuestion, forgetQuestion, questionStore, withReauthentication } from './reauthentication.ts'

const refusal = new Error('reauthentication required')
const isRequired = (error: unknown) => error === refusal

let isRecent: boolean
const request = vi.fn((name: string) => (isRecent ? Promise.resolve(name) : Promise.reject(refusal)))
const send = (name: string) => withReauthentication(() => request(name), isRequired)
const isAsked = () => vi.waitFor(() => expect(questionStore.current()?.isOpen).toBe(true))

beforeEach(() => {
  isRecent = false
  request.mockClear()
})

test('Several refused requests share one question, and each is sent again once the person has confirmed', async () => {
  const opened = vi.fn(() => questionStore.current()?.isOpen)
  const stop = questionStore.subscribe(opened)
  const results = [send('a'), send('b')]
  await isAsked()
  results.push(send('c'))
  await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(3))
  isRecent = true
  answerQuestion(true)
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c'])
  expect(request).toHaveBeenCalledTimes(6)
  await vi.waitFor(() => expect(questionStore.current()?.isOpen).toBe(false))
  forgetQuestion()
  expect(opened.mock.results.map(({ value }) => value as unknown)).toEqual([true, false, undefined])
  stop()
})

test('A person who cancels gets the refusal, and is asked again at the next request', async () => {
  for (const name of ['first', 'second']) {
    const result = send(name)
    await isAsked()
    answerQuestion(false)
    await expect(result).rejects.toBe(refusal)
  }
  expect(request).toHaveBeenCalledTimes(2)
})

test('A request that is refused again after a confirmation asks again', async () => {
  const result = send('a')
  await isAsked()
  answerQuestion(true)
  await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(2))
  await isAsked()
  answerQuestion(false)
  await expect(result).rejects.toBe(refusal)
})

test('A question that opens while the last one fades away stays open', async () => {
  const results = [send('a')]
  await isAsked()
  answerQuestion(false)
  results.push(send('b'))
  await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(2))
  forgetQuestion()
  await isAsked()
  answerQuestion(false)
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('Other refusals are not asked about', async () => {
  const other = new Error('not found')
  const result = withReauthentication(() => Promise.reject(other), isRequired)
  await expect(result).rejects.toBe(other)
})
