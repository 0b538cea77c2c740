import type { AccountTexts } from './texts.ts'

export const en: AccountTexts = {
  notices: {
    new_sign_in: {
      subject: 'New sign-in',
      happened: 'Your Petstore account was signed in to on a device that was not used for it before.',
    },
    password_changed: {
      subject: 'Your password was changed',
      happened:
        'The password of your Petstore account was changed. Every other device was signed out, and all access tokens were revoked.',
    },
    password_reset: {
      subject: 'Your password was changed',
      happened:
        'A new password was set with a link that was sent to this address. Every device was signed out, and all passkeys, access tokens and recovery codes of your account were removed.',
      advice: 'Another person may be reading your mail, so change the password of your mailbox first.',
    },
    recovery_link_created: {
      subject: 'A link to a new password was created for your account',
      happened:
        'The operator of this installation created a link that sets a new password for your Petstore account, and passes it on by other means than mail.',
    },
    email_verified: {
      subject: 'Your email address was verified',
      happened: 'The operator of this installation recorded that this address belongs to you.',
    },
    recovery_codes_created: {
      subject: 'Recovery codes were created for your account',
      happened:
        'From now on, each of these codes can set a new password for your Petstore account. Earlier codes ended.',
    },
    recovery_code_used: {
      subject: 'Your password was changed with a recovery code',
      happened:
        'A new password was set with one of your recovery codes. Every device was signed out, and all passkeys, access tokens and recovery codes of your account were removed.',
    },
    passkey_added: {
      subject: 'A passkey was added to your account',
      happened: 'From now on, this passkey can sign in to your Petstore account.',
    },
    passkey_removed: {
      subject: 'A passkey was removed from your account',
      happened: 'This passkey can no longer sign in to your Petstore account.',
    },
    access_token_created: {
      subject: 'An access token was created for your account',
      happened: 'From now on, programs can use this token to act as you in Petstore.',
    },
    access_token_revoked: {
      subject: 'An access token of your account was revoked',
      happened: 'Programs that use this token are now rejected.',
    },
  },
  newSignInOn: (device) => `New sign-in: ${device}`,
  labels: { name: 'Name', device: 'Device', when: 'When' },
  wasYou: 'If this was you, there is nothing to do.',
  wasNotYou:
    'If it was not you, secure your account now: every device is signed out, your password, passkeys, access tokens and recovery codes stop working, and you get a link to a new password.',
  notMe: 'This was not me',
  days: (days) => `The link works once, for ${days === 1 ? 'a day' : `${days} days`}.`,
  hours: (hours) => `The link works once, for ${hours} hours.`,
  ignore: 'If you did not ask for it, ignore this mail: nothing will change.',
  security: 'You get this mail because it concerns the security of your account. It cannot be turned off.',
  entered: 'You get this mail because your address was entered at Petstore.',
  signUp: {
    subject: 'Confirm your email address',
    text: 'Your address was entered to create a Petstore account.',
    button: 'Create your account',
    known: (recoveryUrl) =>
      `There is an account with this address already, which was never confirmed. If it is yours, do not create another one: reset its password at ${recoveryUrl}, and it keeps its stores. If it is not yours, create your account: the other one then loses this address.`,
    ignore: 'If you did not ask for it, ignore this mail: no account is created.',
  },
  knownAddress: {
    subject: 'You already have a Petstore account',
    text: 'Your address was entered to create an account, but it has one. Sign in with your password or a passkey.',
    button: 'Sign in',
    forgotten: (recoveryUrl) => `If you have forgotten your password, reset it at ${recoveryUrl}.`,
  },
  recovery: {
    subject: 'Reset your password',
    text: 'A new password was requested for your Petstore account.',
    button: 'Choose a new password',
    validity: (minutes) =>
      `The link works once, for ${minutes} minutes. A new password signs you out everywhere, and removes all passkeys, access tokens and recovery codes of your account.`,
  },
  signInLink: {
    subject: 'Sign in to Petstore',
    text: 'A link was requested that signs you in to your Petstore account without a password. Open it on the device on which you want to sign in.',
    button: 'Sign in',
    validity: (minutes) => `The link works once, for ${minutes} minutes. Do not pass it on: it opens your account.`,
  },
  emailChange: {
    subject: 'Confirm your email address',
    text: 'This is the address of your Petstore account. Confirm that it is yours.',
    newSubject: 'Confirm your new email address',
    newText: 'This address was entered as the new address of a Petstore account.',
    button: 'Confirm this address',
  },
  emailChanged: {
    subject: 'Your email address was changed',
    text: 'Your Petstore account now has another email address. Mails about it no longer come here.',
    wasNotYou:
      'If it was not you, take your account back: it gets this address again, every device is signed out, your password, passkeys, access tokens and recovery codes stop working, and you get a link to a new password.',
    button: 'Undo the change',
  },
  accountDeleted: {
    subject: 'Your account was deleted',
    text: 'Your Petstore account no longer exists. Your name and this address were erased.',
    contact:
      'A deleted account cannot be restored. If you did not ask for it, contact the operator of this installation.',
  },
  signInsLimited: {
    subject: 'Repeated attempts to sign in to your account',
    text: 'There were too many attempts to sign in to your Petstore account in a short time. For a while, your password is not accepted on new devices. Devices on which you have signed in before and passkeys work as always; on a new device, request a sign-in link.',
    notGuessed:
      'Nothing suggests that your password was guessed: if a device signs in that was not used before, you get a mail about it.',
    advice:
      'Use a long password that you use nowhere else, or better, a passkey: it cannot be guessed. You get this mail once a day at most.',
    button: 'Check how you sign in',
  },
}
