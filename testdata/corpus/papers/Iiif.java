/*
 * Copyright 2018 National Library of Fenland
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 */
package example.fenland.iiif;

import java.net.URI;

/**
 * Addresses of the image server.
 *
 * @see <a href="https://iiif.io/api/image/2.1/#image-request-uri-syntax">IIIF Image API 2.1</a>
 * @see <a href="https://docs.fenland.example/iiif/Addresses.html">the manual</a>
 */
public final class Iiif {
    private static final URI BASE = URI.create("https://iiif.fenland.example/image/v2/");

    // TODO: follow https://github.com/fenland/iiif/issues/17.
    static final String LEVEL2 = "http://iiif.io/api/image/2/level2.json"; //$NON-NLS-1$

    static String full(String id) {
        return BASE + id + "/full/full/0/default.jpg"; // e.g. https://iiif.fenland.example/image/v2/fen-0042/full/full/0/default.jpg
    }

    static String legacy(int n) {
        return String.format("http://images.fenland.example:8182/iiif/2/%d/info.json", n);
    }
}
