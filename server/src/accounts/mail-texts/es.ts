import type { AccountTexts } from './texts.ts'

export const es: AccountTexts = {
  notices: {
    new_sign_in: {
      subject: 'Nuevo inicio de sesión',
      happened: 'Se ha iniciado sesión en su cuenta de Petstore en un dispositivo que no se había usado antes.',
    },
    password_changed: {
      subject: 'Su contraseña ha cambiado',
      happened:
        'La contraseña de su cuenta de Petstore ha cambiado. Se ha cerrado la sesión en los demás dispositivos y se han revocado todos los tokens de acceso.',
    },
    password_reset: {
      subject: 'Su contraseña ha cambiado',
      happened:
        'Se ha establecido una nueva contraseña con un enlace enviado a esta dirección. Se ha cerrado la sesión en todos los dispositivos y se han eliminado todas las llaves de acceso, los tokens de acceso y los códigos de recuperación de su cuenta.',
      advice: 'Es posible que otra persona lea su correo, así que cambie primero la contraseña de su buzón.',
    },
    recovery_link_created: {
      subject: 'Se ha creado un enlace a una nueva contraseña para su cuenta',
      happened:
        'El operador de esta instalación ha creado un enlace que permite establecer una nueva contraseña para su cuenta de Petstore. Lo entrega por un medio distinto del correo.',
    },
    email_verified: {
      subject: 'Su dirección de correo ha sido verificada',
      happened: 'El operador de esta instalación ha registrado que esta dirección le pertenece.',
    },
    recovery_codes_created: {
      subject: 'Se han creado códigos de recuperación para su cuenta',
      happened:
        'A partir de ahora, cada uno de estos códigos permite establecer una nueva contraseña para su cuenta de Petstore. Los códigos anteriores ya no sirven.',
    },
    recovery_code_used: {
      subject: 'Su contraseña ha cambiado con un código de recuperación',
      happened:
        'Se ha establecido una nueva contraseña con uno de sus códigos de recuperación. Se ha cerrado la sesión en todos los dispositivos y se han eliminado todas las llaves de acceso, los tokens de acceso y los códigos de recuperación de su cuenta.',
    },
    passkey_added: {
      subject: 'Se ha añadido una llave de acceso a su cuenta',
      happened: 'A partir de ahora, esta llave de acceso permite iniciar sesión en su cuenta de Petstore.',
    },
    passkey_removed: {
      subject: 'Se ha eliminado una llave de acceso de su cuenta',
      happened: 'Esta llave de acceso ya no permite iniciar sesión en su cuenta de Petstore.',
    },
    access_token_created: {
      subject: 'Se ha creado un token de acceso para su cuenta',
      happened: 'A partir de ahora, los programas pueden usar este token para actuar en su nombre en Petstore.',
    },
    access_token_revoked: {
      subject: 'Se ha revocado un token de acceso de su cuenta',
      happened: 'Los programas que usan este token se rechazan a partir de ahora.',
    },
  },
  newSignInOn: (device) => `Nuevo inicio de sesión: ${device}`,
  labels: { name: 'Nombre', device: 'Dispositivo', when: 'Cuándo' },
  wasYou: 'Si ha sido usted, no tiene que hacer nada.',
  wasNotYou:
    'Si no ha sido usted, proteja su cuenta ahora: se cerrará la sesión en todos los dispositivos, la contraseña, las llaves de acceso, los tokens de acceso y los códigos de recuperación dejarán de servir, y recibirá un enlace a una nueva contraseña.',
  notMe: 'No he sido yo',
  days: (days) => `El enlace funciona una sola vez, durante ${days === 1 ? 'un día' : `${days} días`}.`,
  hours: (hours) => `El enlace funciona una sola vez, durante ${hours} horas.`,
  ignore: 'Si no lo ha solicitado, ignore este correo: no cambiará nada.',
  security: 'Recibe este correo porque afecta a la seguridad de su cuenta. No se puede desactivar.',
  entered: 'Recibe este correo porque se ha introducido su dirección en Petstore.',
  signUp: {
    subject: 'Confirme su dirección de correo',
    text: 'Se ha introducido su dirección para crear una cuenta de Petstore.',
    button: 'Crear su cuenta',
    known: (recoveryUrl) =>
      `Ya existe una cuenta con esta dirección que nunca se confirmó. Si es suya, no cree otra: restablezca su contraseña en ${recoveryUrl} y conservará sus tiendas. Si no es suya, cree su cuenta: la otra perderá entonces esta dirección.`,
    ignore: 'Si no lo ha solicitado, ignore este correo: no se creará ninguna cuenta.',
  },
  knownAddress: {
    subject: 'Ya tiene una cuenta de Petstore',
    text: 'Se ha introducido su dirección para crear una cuenta, pero ya tiene una. Inicie sesión con su contraseña o con una llave de acceso.',
    button: 'Iniciar sesión',
    forgotten: (recoveryUrl) => `Si ha olvidado su contraseña, restablézcala en ${recoveryUrl}.`,
  },
  recovery: {
    subject: 'Restablezca su contraseña',
    text: 'Se ha solicitado una nueva contraseña para su cuenta de Petstore.',
    button: 'Elegir una nueva contraseña',
    validity: (minutes) =>
      `El enlace funciona una sola vez, durante ${minutes} minutos. Una nueva contraseña cierra su sesión en todas partes y elimina todas las llaves de acceso, los tokens de acceso y los códigos de recuperación de su cuenta.`,
  },
  signInLink: {
    subject: 'Inicie sesión en Petstore',
    text: 'Se ha solicitado un enlace que inicia sesión en su cuenta de Petstore sin contraseña. Ábralo en el dispositivo en el que quiera iniciar sesión.',
    button: 'Iniciar sesión',
    validity: (minutes) =>
      `El enlace funciona una sola vez, durante ${minutes} minutos. No lo comparta: abre su cuenta.`,
  },
  emailChange: {
    subject: 'Confirme su dirección de correo',
    text: 'Esta es la dirección de su cuenta de Petstore. Confirme que le pertenece.',
    newSubject: 'Confirme su nueva dirección de correo',
    newText: 'Se ha introducido esta dirección como nueva dirección de una cuenta de Petstore.',
    button: 'Confirmar esta dirección',
  },
  emailChanged: {
    subject: 'Su dirección de correo ha cambiado',
    text: 'Su cuenta de Petstore tiene ahora otra dirección de correo. Los correos sobre ella ya no llegan aquí.',
    wasNotYou:
      'Si no ha sido usted, recupere su cuenta: volverá a tener esta dirección, se cerrará la sesión en todos los dispositivos, la contraseña, las llaves de acceso, los tokens de acceso y los códigos de recuperación dejarán de servir, y recibirá un enlace a una nueva contraseña.',
    button: 'Deshacer el cambio',
  },
  accountDeleted: {
    subject: 'Su cuenta se ha eliminado',
    text: 'Su cuenta de Petstore ya no existe. Su nombre y esta dirección se han borrado.',
    contact:
      'Una cuenta eliminada no se puede restaurar. Si no lo ha solicitado, póngase en contacto con el operador de esta instalación.',
  },
  signInsLimited: {
    subject: 'Intentos repetidos de iniciar sesión en su cuenta',
    text: 'Ha habido demasiados intentos de iniciar sesión en su cuenta de Petstore en poco tiempo. Durante un rato, su contraseña no se acepta en dispositivos nuevos. Los dispositivos en los que ya había iniciado sesión y las llaves de acceso funcionan como siempre; en un dispositivo nuevo, solicite un enlace para iniciar sesión.',
    notGuessed:
      'Nada indica que se haya adivinado su contraseña: si inicia sesión un dispositivo que no se había usado antes, recibirá un correo.',
    advice:
      'Use una contraseña larga que no use en ningún otro sitio o, mejor, una llave de acceso: no se puede adivinar. Recibe este correo una vez al día como máximo.',
    button: 'Revisar cómo inicia sesión',
  },
}
