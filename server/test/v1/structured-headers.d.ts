// The types of structured-headers name this one, which only a browser's library has.

type BufferSource = ArrayBufferView | ArrayBuffer
