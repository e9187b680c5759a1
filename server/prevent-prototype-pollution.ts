// Nobody adds to what all objects inherit from. A library that is tricked into it (`__proto__` as the name of
// a filter or a field) would change every object of the process; now it fails for that one request.
// Imported first, for its effect.

for (const { prototype } of [Object, Array, Function]) Object.preventExtensions(prototype);
