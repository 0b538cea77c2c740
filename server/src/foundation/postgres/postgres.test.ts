import { describe, expect, test } from 'vitest'
import { connectTimeoutMs } from './postgres.io.ts'

describe('the time for a connection', () => {
  test.each([
    ['postgresql://petstore_app@db.example/petstore', 1000],
    ['postgresql://petstore_app@db.example/petstore?connect_timeout=5', 5000],
    ['postgresql://petstore_app@db.example/petstore?connect_timeout=0', 1000],
    ['postgresql://petstore_app@db.example/petstore?connect_timeout=soon', 1000],
    ['a text that is no URL', 1000],
  ])('of %s is %d ms', (url, ms) => {
    expect(connectTimeoutMs(url)).toBe(ms)
  })
})
