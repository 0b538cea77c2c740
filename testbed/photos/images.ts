// Real pictures of 3 × 2 pixels for tests, encoded by a browser, without colour profiles.

const from = (base64: string) => Buffer.from(base64, 'base64')

export const png = from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWL6z8DwH4aZGJAAAAAA//+GpNPhAAAABklEQVQDAHTz' +
    'Bf+1yIrkAAAAAElFTkSuQmCC',
)

export const jpeg = from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////' +
    '////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////' +
    '////////////wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA' +
    'FQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCQA1j/2Q==',
)

export const webpLossy = from('UklGRjQAAABXRUJQVlA4ICgAAACQAQCdASoDAAIAB0CWJaACdLoAA5gA/uUK+Cepco/+N48CvJdjoAAA')

export const webpLossless = from('UklGRhwAAABXRUJQVlA4TA8AAAAvAkAAAAcQ/Y/+ByKi/wEA')

export const webpWithAlpha = from(
  'UklGRl4AAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAAAD/AAD/AFZQOCAwAAAAcAEAnQEqAwACAAdAliWoAnQBdQAA' +
    '/uUK7TiVgPzlDP/e/BfKH8Cv376l5QqAAAAA',
)
