// The digests under which databases record the migrations of the first release, which no longer change.

export const baselineDigests: Readonly<Record<string, string>> = {
  '0001-foundation.sql': '502a6232fe64b04a323ca45b3a18a88b1c54d4aa0bf29fa3e34f7ce4db923ecd',
  '0002-accounts.sql': 'c2c67d0b6c98657cd7c21f21c0f8fe09303eafca411a0e66b523a0918c867324',
  '0003-projects.sql': '274f2f41c1ee7e01f88bf57bb669d3a0f267e4ea6af22b840815a543032808ad',
  '0004-plans.sql': 'cd98723b9a3a24a8aa6a03ba6c594beb45ad3edf6215b1238ee4597c4a2178fd',
  '0005-animals.sql': '8a2787aa6f762de97dfa2872e5a7b54e277a511b25b63003f365f62eac806212',
  '0006-photos.sql': '7181fba86d4a2f8a01fe32a68b5c8acfe73702ce51c9046ad6f16dcc701202bc',
  '0007-imports.sql': '42e45fc75359203da23844cba2039c47a37912053f1dd37d121b4605efb532fe',
  '0008-orders.sql': '5b5b7313049bcde4472e33d24bfa47db9147c290a1088a336728cdcad448a202',
  '0009-sites.sql': '7458f1f0c6ed7150fc1f1d556e3341e59b6373926835d2a4703619c6a41add62',
  '0010-certificates.sql': '6d6991d82138ac74349b58e8f7c55d880cb376d698d21dbf9540c9a54035d144',
  '0011-domains.sql': '33d5ea49fc11ad3d8efe17cc5e79997f8cabac0006eb46750a8b5021cb7a31f2',
  '0012-fleet.sql': '706f8e891898ba01c4797e1552ed7c94f304c98048f5de868439c72231fa8602',
  '0013-mail.sql': 'd391ca9b406bdd6eb149d7b1d0ba12354349492c950e2316d7b710f046259d6f',
}
