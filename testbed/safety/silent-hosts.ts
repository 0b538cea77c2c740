// Hosts of photos that accept a connection and never answer, for a service that runs with this suite.

export const SILENT_HOSTS = Array.from({ length: 8 }, (_, n) => `photos-${n}.attacker.example`)
