import type { Site } from './fields.ts'

/** A draft with a title and nothing else. */
export const first: Site = {
  version: 1,
  title: 'Happy Paws',
  tagline: '',
  about: '',
  themeColor: '#0f766e',
  language: 'en',
  contact: { email: '', phone: '', address: '' },
  hiddenCategories: [],
  logo: null,
}
