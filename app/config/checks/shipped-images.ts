/** SHA-256 of the illustrations that came with the project. A test compares them with public/images/. */
export const shippedImages: ReadonlyMap<string, string> = new Map([
  [
    "/images/fallback-estate.svg",
    "3766d8788ea1c8d755eb6379c2205f239ac928c5a74b0d10fb6c24babf8b02d2",
  ],
  [
    "/images/fallback-family.svg",
    "0e519f88164b337003e98b9f29da7fee0e43177acda5b8ea2bf1194104ab9a44",
  ],
  [
    "/images/fallback-general.svg",
    "2cdd02d0bc500c978a113c1c97cdb565326e3a39fcf4b9e6d39bb7679bcb713a",
  ],
  [
    "/images/fallback-life-insurance.svg",
    "7794c413945404e177cec34ad8bb521e9a0351df1cce8deb8a4b4c4d93b2cafe",
  ],
  [
    "/images/fallback-retirement.svg",
    "f3e8a0ffe2c4509ced1a1d64d5ea7c913e5712e79991e5d6317915c3fe52c196",
  ],
  [
    "/images/fallback-taxes.svg",
    "ec3fd5c1e9654ea3e70bcca7bb57373b9f4babd77a4d6b57e8585e264d806e03",
  ],
  ["/images/hero.svg", "d0df2da15e9234df65511327dce5ac4f9928eeaa7fc098beb54445f069bb7f04"],
  ["/images/portrait.svg", "e9769e3bca02c77950bfde04412f8e5c14712f4707fe8a6c642e345a98ddaca0"],
  [
    "/images/posts/harbor-boats.svg",
    "a379e93b73c4c2cda7d38f19a05378dc294b97c34fc1dcc6cc500a581c51d571",
  ],
  [
    "/images/posts/kitchen-table.svg",
    "793ef431d12d4c074a0d2bbb920b5caa18fc280585d9e80bd724c774d4b0f8c7",
  ],
  [
    "/images/posts/lighthouse.svg",
    "fc2b6b6eb8916110b6e466eacf64f3f78cb0944363c6586ba341949db501e274",
  ],
  [
    "/images/posts/lit-window.svg",
    "d4bc02bbfe770d733ba73c68d6c6e80045961bb261108a7d3d08f1199d164624",
  ],
  ["/images/posts/old-oak.svg", "f649871bdac582664a55446fb9afed481c2e5853a9d820202c229fce6456666a"],
  [
    "/images/posts/two-chairs.svg",
    "2fabc3b4efc113b1080bb6a34d9bfecf0be6663a2ac5a0f40805630d08334f6f",
  ],
]);
