// Registrars and hosters that are known mostly in Asia or South America.

import type { Provider } from './provider.ts'
import { entry } from './entry.ts'

export const elsewhere: readonly Provider[] = [
  entry('sakura', 'Sakura Internet', ['dns.ne.jp']),
  entry('onamae', 'Onamae.com', ['dnsv.jp', 'onamae.com']),
  entry('muumuu', 'Muumuu Domain', ['muumuu-domain.com']),
  entry('xserver', 'Xserver', ['xserver.jp']),
  entry('valuedomain', 'Value Domain', ['value-domain.com']),
  entry('gabia', 'Gabia', ['gabia.co.kr', 'gabia.net']),
  entry('cafe24', 'Cafe24', ['cafe24.com']),
  entry('locaweb', 'Locaweb', ['locaweb.com.br']),
  entry('registrobr', 'Registro.br', ['auto.dns.br']),
]
