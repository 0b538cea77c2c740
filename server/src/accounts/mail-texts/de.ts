import type { AccountTexts } from './texts.ts'

export const de: AccountTexts = {
  notices: {
    new_sign_in: {
      subject: 'Neue Anmeldung',
      happened: 'In Ihrem Petstore-Konto gab es eine Anmeldung auf einem Gerät, das bisher nicht dafür benutzt wurde.',
    },
    password_changed: {
      subject: 'Ihr Passwort wurde geändert',
      happened:
        'Das Passwort Ihres Petstore-Kontos wurde geändert. Alle anderen Geräte wurden abgemeldet und alle Zugriffstokens widerrufen.',
    },
    password_reset: {
      subject: 'Ihr Passwort wurde geändert',
      happened:
        'Mit einem Link, der an diese Adresse ging, wurde ein neues Passwort gesetzt. Alle Geräte wurden abgemeldet und alle Passkeys, Zugriffstokens und Wiederherstellungscodes Ihres Kontos entfernt.',
      advice: 'Möglicherweise liest jemand Ihre E-Mails mit. Ändern Sie deshalb zuerst das Passwort Ihres Postfachs.',
    },
    recovery_link_created: {
      subject: 'Für Ihr Konto wurde ein Link zu einem neuen Passwort erstellt',
      happened:
        'Der Betreiber dieser Installation hat einen Link erstellt, mit dem sich ein neues Passwort für Ihr Petstore-Konto setzen lässt, und gibt ihn auf anderem Weg als per E-Mail weiter.',
    },
    email_verified: {
      subject: 'Ihre E-Mail-Adresse wurde bestätigt',
      happened: 'Der Betreiber dieser Installation hat festgehalten, dass diese Adresse Ihnen gehört.',
    },
    recovery_codes_created: {
      subject: 'Für Ihr Konto wurden Wiederherstellungscodes erstellt',
      happened:
        'Ab jetzt lässt sich mit jedem dieser Codes ein neues Passwort für Ihr Petstore-Konto setzen. Frühere Codes gelten nicht mehr.',
    },
    recovery_code_used: {
      subject: 'Ihr Passwort wurde mit einem Wiederherstellungscode geändert',
      happened:
        'Mit einem Ihrer Wiederherstellungscodes wurde ein neues Passwort gesetzt. Alle Geräte wurden abgemeldet und alle Passkeys, Zugriffstokens und Wiederherstellungscodes Ihres Kontos entfernt.',
    },
    passkey_added: {
      subject: 'Ihrem Konto wurde ein Passkey hinzugefügt',
      happened: 'Ab jetzt kann man sich mit diesem Passkey in Ihrem Petstore-Konto anmelden.',
    },
    passkey_removed: {
      subject: 'Ein Passkey wurde aus Ihrem Konto entfernt',
      happened: 'Mit diesem Passkey kann man sich nicht mehr in Ihrem Petstore-Konto anmelden.',
    },
    access_token_created: {
      subject: 'Für Ihr Konto wurde ein Zugriffstoken erstellt',
      happened: 'Ab jetzt können Programme mit diesem Token in Ihrem Namen in Petstore handeln.',
    },
    access_token_revoked: {
      subject: 'Ein Zugriffstoken Ihres Kontos wurde widerrufen',
      happened: 'Programme, die dieses Token verwenden, werden jetzt abgewiesen.',
    },
  },
  newSignInOn: (device) => `Neue Anmeldung: ${device}`,
  labels: { name: 'Name', device: 'Gerät', when: 'Wann' },
  wasYou: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
  wasNotYou:
    'Wenn Sie es nicht waren, sichern Sie jetzt Ihr Konto: Alle Geräte werden abgemeldet, Passwort, Passkeys, Zugriffstokens und Wiederherstellungscodes gelten nicht mehr, und Sie erhalten einen Link zu einem neuen Passwort.',
  notMe: 'Das war ich nicht',
  days: (days) => `Der Link gilt einmal, ${days === 1 ? 'einen Tag' : `${days} Tage`} lang.`,
  hours: (hours) => `Der Link gilt einmal, ${hours} Stunden lang.`,
  ignore: 'Wenn Sie das nicht veranlasst haben, ignorieren Sie diese E-Mail: Es ändert sich nichts.',
  security:
    'Sie erhalten diese E-Mail, weil sie die Sicherheit Ihres Kontos betrifft. Sie lässt sich nicht abbestellen.',
  entered: 'Sie erhalten diese E-Mail, weil Ihre Adresse bei Petstore eingegeben wurde.',
  signUp: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Ihre Adresse wurde eingegeben, um ein Petstore-Konto zu erstellen.',
    button: 'Konto erstellen',
    known: (recoveryUrl) =>
      `Mit dieser Adresse gibt es bereits ein Konto, das nie bestätigt wurde. Wenn es Ihres ist, erstellen Sie kein weiteres: Setzen Sie unter ${recoveryUrl} sein Passwort zurück, dann behält es seine Läden. Wenn es nicht Ihres ist, erstellen Sie Ihr Konto: Das andere verliert dann diese Adresse.`,
    ignore: 'Wenn Sie das nicht veranlasst haben, ignorieren Sie diese E-Mail: Es wird kein Konto erstellt.',
  },
  knownAddress: {
    subject: 'Sie haben bereits ein Petstore-Konto',
    text: 'Ihre Adresse wurde eingegeben, um ein Konto zu erstellen, sie hat aber schon eines. Melden Sie sich mit Ihrem Passwort oder einem Passkey an.',
    button: 'Anmelden',
    forgotten: (recoveryUrl) => `Wenn Sie Ihr Passwort vergessen haben, setzen Sie es unter ${recoveryUrl} zurück.`,
  },
  recovery: {
    subject: 'Setzen Sie Ihr Passwort zurück',
    text: 'Für Ihr Petstore-Konto wurde ein neues Passwort angefordert.',
    button: 'Neues Passwort wählen',
    validity: (minutes) =>
      `Der Link gilt einmal, ${minutes} Minuten lang. Ein neues Passwort meldet Sie überall ab und entfernt alle Passkeys, Zugriffstokens und Wiederherstellungscodes Ihres Kontos.`,
  },
  signInLink: {
    subject: 'Bei Petstore anmelden',
    text: 'Es wurde ein Link angefordert, der Sie ohne Passwort in Ihrem Petstore-Konto anmeldet. Öffnen Sie ihn auf dem Gerät, auf dem Sie sich anmelden möchten.',
    button: 'Anmelden',
    validity: (minutes) =>
      `Der Link gilt einmal, ${minutes} Minuten lang. Geben Sie ihn nicht weiter: Er öffnet Ihr Konto.`,
  },
  emailChange: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Dies ist die Adresse Ihres Petstore-Kontos. Bestätigen Sie, dass sie Ihnen gehört.',
    newSubject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    newText: 'Diese Adresse wurde als neue Adresse eines Petstore-Kontos eingegeben.',
    button: 'Adresse bestätigen',
  },
  emailChanged: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    text: 'Ihr Petstore-Konto hat jetzt eine andere E-Mail-Adresse. E-Mails dazu kommen nicht mehr hierher.',
    wasNotYou:
      'Wenn Sie es nicht waren, holen Sie Ihr Konto zurück: Es erhält wieder diese Adresse, alle Geräte werden abgemeldet, Passwort, Passkeys, Zugriffstokens und Wiederherstellungscodes gelten nicht mehr, und Sie erhalten einen Link zu einem neuen Passwort.',
    button: 'Änderung rückgängig machen',
  },
  accountDeleted: {
    subject: 'Ihr Konto wurde gelöscht',
    text: 'Ihr Petstore-Konto existiert nicht mehr. Ihr Name und diese Adresse wurden gelöscht.',
    contact:
      'Ein gelöschtes Konto lässt sich nicht wiederherstellen. Wenn Sie das nicht veranlasst haben, wenden Sie sich an den Betreiber dieser Installation.',
  },
  signInsLimited: {
    subject: 'Wiederholte Versuche, sich in Ihrem Konto anzumelden',
    text: 'In kurzer Zeit gab es zu viele Versuche, sich in Ihrem Petstore-Konto anzumelden. Auf neuen Geräten wird Ihr Passwort eine Zeit lang nicht angenommen. Geräte, auf denen Sie schon angemeldet waren, und Passkeys funktionieren wie immer; auf einem neuen Gerät fordern Sie einen Anmeldelink an.',
    notGuessed:
      'Nichts deutet darauf hin, dass Ihr Passwort erraten wurde: Wenn sich ein bisher nicht benutztes Gerät anmeldet, erhalten Sie eine E-Mail.',
    advice:
      'Verwenden Sie ein langes Passwort, das Sie nirgends sonst benutzen, oder besser einen Passkey: Er lässt sich nicht erraten. Sie erhalten diese E-Mail höchstens einmal am Tag.',
    button: 'Anmeldung überprüfen',
  },
}
