// What becomes of the active API keys that a person created who may no longer create any.

export const keyChoices = ['keep', 'revoke'] as const
export type KeyChoice = (typeof keyChoices)[number]
