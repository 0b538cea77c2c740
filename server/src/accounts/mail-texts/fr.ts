import type { AccountTexts } from './texts.ts'

export const fr: AccountTexts = {
  notices: {
    new_sign_in: {
      subject: 'Nouvelle connexion',
      happened:
        'Une connexion à votre compte Petstore a eu lieu sur un appareil qui n’avait encore jamais été utilisé.',
    },
    password_changed: {
      subject: 'Votre mot de passe a été modifié',
      happened:
        'Le mot de passe de votre compte Petstore a été modifié. Tous les autres appareils ont été déconnectés et tous les jetons d’accès révoqués.',
    },
    password_reset: {
      subject: 'Votre mot de passe a été modifié',
      happened:
        'Un nouveau mot de passe a été défini à l’aide d’un lien envoyé à cette adresse. Tous les appareils ont été déconnectés, et toutes les clés d’accès, tous les jetons d’accès et tous les codes de récupération de votre compte ont été supprimés.',
      advice:
        'Il est possible qu’une autre personne lise votre courrier : changez d’abord le mot de passe de votre messagerie.',
    },
    recovery_link_created: {
      subject: 'Un lien vers un nouveau mot de passe a été créé pour votre compte',
      happened:
        'L’exploitant de cette installation a créé un lien qui permet de définir un nouveau mot de passe pour votre compte Petstore. Il le transmet autrement que par e-mail.',
    },
    email_verified: {
      subject: 'Votre adresse e-mail a été vérifiée',
      happened: 'L’exploitant de cette installation a enregistré que cette adresse vous appartient.',
    },
    recovery_codes_created: {
      subject: 'Des codes de récupération ont été créés pour votre compte',
      happened:
        'Désormais, chacun de ces codes permet de définir un nouveau mot de passe pour votre compte Petstore. Les codes précédents ne fonctionnent plus.',
    },
    recovery_code_used: {
      subject: 'Votre mot de passe a été modifié avec un code de récupération',
      happened:
        'Un nouveau mot de passe a été défini avec l’un de vos codes de récupération. Tous les appareils ont été déconnectés, et toutes les clés d’accès, tous les jetons d’accès et tous les codes de récupération de votre compte ont été supprimés.',
    },
    passkey_added: {
      subject: 'Une clé d’accès a été ajoutée à votre compte',
      happened: 'Désormais, cette clé d’accès permet de se connecter à votre compte Petstore.',
    },
    passkey_removed: {
      subject: 'Une clé d’accès a été supprimée de votre compte',
      happened: 'Cette clé d’accès ne permet plus de se connecter à votre compte Petstore.',
    },
    access_token_created: {
      subject: 'Un jeton d’accès a été créé pour votre compte',
      happened: 'Désormais, des programmes peuvent utiliser ce jeton pour agir en votre nom dans Petstore.',
    },
    access_token_revoked: {
      subject: 'Un jeton d’accès de votre compte a été révoqué',
      happened: 'Les programmes qui utilisent ce jeton sont désormais refusés.',
    },
  },
  newSignInOn: (device) => `Nouvelle connexion : ${device}`,
  labels: { name: 'Nom', device: 'Appareil', when: 'Quand' },
  wasYou: 'Si c’était vous, vous n’avez rien à faire.',
  wasNotYou:
    'Si ce n’était pas vous, sécurisez votre compte maintenant : tous les appareils seront déconnectés, le mot de passe, les clés d’accès, les jetons d’accès et les codes de récupération ne fonctionneront plus, et vous recevrez un lien vers un nouveau mot de passe.',
  notMe: 'Ce n’était pas moi',
  days: (days) => `Le lien fonctionne une seule fois, pendant ${days === 1 ? 'un jour' : `${days} jours`}.`,
  hours: (hours) => `Le lien fonctionne une seule fois, pendant ${hours} heures.`,
  ignore: 'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : rien ne changera.',
  security: 'Vous recevez ce message parce qu’il concerne la sécurité de votre compte. Il ne peut pas être désactivé.',
  entered: 'Vous recevez ce message parce que votre adresse a été saisie chez Petstore.',
  signUp: {
    subject: 'Confirmez votre adresse e-mail',
    text: 'Votre adresse a été saisie pour créer un compte Petstore.',
    button: 'Créer votre compte',
    known: (recoveryUrl) =>
      `Il existe déjà un compte avec cette adresse, qui n’a jamais été confirmé. S’il est à vous, n’en créez pas un autre : réinitialisez son mot de passe sur ${recoveryUrl}, et il gardera ses boutiques. S’il n’est pas à vous, créez votre compte : l’autre perdra alors cette adresse.`,
    ignore: 'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : aucun compte ne sera créé.',
  },
  knownAddress: {
    subject: 'Vous avez déjà un compte Petstore',
    text: 'Votre adresse a été saisie pour créer un compte, mais elle en a déjà un. Connectez-vous avec votre mot de passe ou une clé d’accès.',
    button: 'Se connecter',
    forgotten: (recoveryUrl) => `Si vous avez oublié votre mot de passe, réinitialisez-le sur ${recoveryUrl}.`,
  },
  recovery: {
    subject: 'Réinitialisez votre mot de passe',
    text: 'Un nouveau mot de passe a été demandé pour votre compte Petstore.',
    button: 'Choisir un nouveau mot de passe',
    validity: (minutes) =>
      `Le lien fonctionne une seule fois, pendant ${minutes} minutes. Un nouveau mot de passe vous déconnecte partout et supprime toutes les clés d’accès, tous les jetons d’accès et tous les codes de récupération de votre compte.`,
  },
  signInLink: {
    subject: 'Connectez-vous à Petstore',
    text: 'Un lien qui vous connecte à votre compte Petstore sans mot de passe a été demandé. Ouvrez-le sur l’appareil sur lequel vous voulez vous connecter.',
    button: 'Se connecter',
    validity: (minutes) =>
      `Le lien fonctionne une seule fois, pendant ${minutes} minutes. Ne le transmettez pas : il ouvre votre compte.`,
  },
  emailChange: {
    subject: 'Confirmez votre adresse e-mail',
    text: 'Cette adresse est celle de votre compte Petstore. Confirmez qu’elle vous appartient.',
    newSubject: 'Confirmez votre nouvelle adresse e-mail',
    newText: 'Cette adresse a été saisie comme nouvelle adresse d’un compte Petstore.',
    button: 'Confirmer cette adresse',
  },
  emailChanged: {
    subject: 'Votre adresse e-mail a été modifiée',
    text: 'Votre compte Petstore a maintenant une autre adresse e-mail. Les messages qui le concernent n’arrivent plus ici.',
    wasNotYou:
      'Si ce n’était pas vous, reprenez votre compte : il retrouvera cette adresse, tous les appareils seront déconnectés, le mot de passe, les clés d’accès, les jetons d’accès et les codes de récupération ne fonctionneront plus, et vous recevrez un lien vers un nouveau mot de passe.',
    button: 'Annuler la modification',
  },
  accountDeleted: {
    subject: 'Votre compte a été supprimé',
    text: 'Votre compte Petstore n’existe plus. Votre nom et cette adresse ont été effacés.',
    contact:
      'Un compte supprimé ne peut pas être restauré. Si vous n’êtes pas à l’origine de cette demande, contactez l’exploitant de cette installation.',
  },
  signInsLimited: {
    subject: 'Tentatives répétées de connexion à votre compte',
    text: 'Il y a eu trop de tentatives de connexion à votre compte Petstore en peu de temps. Pendant un moment, votre mot de passe n’est pas accepté sur de nouveaux appareils. Les appareils sur lesquels vous vous êtes déjà connecté et les clés d’accès fonctionnent comme toujours ; sur un nouvel appareil, demandez un lien de connexion.',
    notGuessed:
      'Rien n’indique que votre mot de passe ait été deviné : si un appareil encore jamais utilisé se connecte, vous recevez un message.',
    advice:
      'Utilisez un mot de passe long qui ne sert nulle part ailleurs ou, mieux, une clé d’accès : elle ne peut pas être devinée. Vous recevez ce message une fois par jour au plus.',
    button: 'Vérifier vos moyens de connexion',
  },
}
