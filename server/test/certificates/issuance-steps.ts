// The steps of issuance at which a worker can die, in order.

export const issuanceSteps = [
  'told',
  'self_check_offered',
  'self_checked',
  'account_ready',
  'intent_stored',
  'order_asked',
  'order_placed',
  'challenge_stored',
  'challenge_answered',
  'validation_asked',
  'order_polled',
  'finalize_asked',
  'certificate_downloaded',
  'certificate_stored',
  'window_asked',
]
